import { expect } from 'chai';
import { type Act, type BusyClient, deleteOne, expectStatus, Ledger, type Picture } from './busy-clients.ts';
import { type CatalogClient, type ImageRecord, uploadedId } from './catalog-client.ts';
import { eraseOne, restoreOne } from './trash-and-names.ts';

export interface SpaceContent {
  readonly live: readonly ImageRecord[];
  readonly trashed: readonly ImageRecord[];
}

/** What a space has while no request is under way. Its counters must say the same. */
export async function contentOf(catalog: CatalogClient): Promise<SpaceContent> {
  const [live, trashed] = [await catalog.list(), await catalog.listTrash()];
  const usage: unknown = await (await catalog.read('api/usage')).json();
  expect(usage, 'usage').to.deep.include({ ...amountOf(live), trashed: amountOf(trashed) });
  return { live, trashed };
}

function amountOf(images: readonly ImageRecord[]): object {
  return { images: images.length, bytes: images.reduce((sum, { size }) => sum + size, 0) };
}

/** What clients know of a space whose limit their uploads reach again and again. */
export class FullSpace {
  readonly ledger = new Ledger();
  /** Uploads that the limit has refused. */
  refusals = 0;

  constructor(
    readonly maxImages: number,
    private readonly makePicture: (random: () => number) => Promise<Picture>,
  ) {}

  chooseAct({ random }: BusyClient): Act {
    const choice = random();
    if (choice < 0.2) return eraseOne;
    if (choice < 0.25) return restoreOne;
    return choice < 0.5 ? deleteOne : (client) => this.uploadIfItFits(client);
  }

  /** While no request is under way: no client has passed the limit, and the counters are right. */
  async check(catalog: CatalogClient): Promise<SpaceContent> {
    const content = await contentOf(catalog);
    const { live, trashed } = content;
    expect(live.length + trashed.length, 'images of a space with a limit').to.be.at.most(this.maxImages);
    return content;
  }

  /** Until an upload is refused: then it is as full as its limit allows. */
  async fill(client: BusyClient, send: (act: () => Promise<void>) => Promise<void>): Promise<void> {
    const before = this.refusals;
    while (this.refusals === before) await send(() => this.uploadIfItFits(client));
    const { live, trashed } = await this.check(client.catalog);
    expect([...live, ...trashed]).to.have.length(this.maxImages);
  }

  private async uploadIfItFits({ catalog, random, ledger }: BusyClient): Promise<void> {
    const { bytes, sha256, name } = await this.makePicture(random);
    ledger.sent.add(sha256);
    const response = await catalog.upload(bytes, name);
    await expectStatus(response, [201, 403], 'upload into a space with a limit');
    if (response.status === 201) ledger.acknowledge(uploadedId(response), sha256);
    else this.refusals += 1;
    const body = (await response.json()) as { readonly code?: string };
    if (response.status === 403) expect(body.code).to.equal('quota_exceeded');
  }
}
