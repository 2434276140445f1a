import { expect } from 'chai';
import { type Act, type BusyClient, deleteOne, expectStatus, Ledger, type Picture } from './busy-clients.ts';
import { type CatalogClient, type ImageRecord, uploadedId } from './catalog-client.ts';

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
    return random() < 0.3 ? deleteOne : (client) => this.uploadIfItFits(client);
  }

  /** While no request is under way: nobody has passed the limit, and the counters are right. */
  async check(catalog: CatalogClient): Promise<readonly ImageRecord[]> {
    const listed = await catalog.list();
    expect(listed.length, 'images of a space with a limit').to.be.at.most(this.maxImages);
    const usage: unknown = await (await catalog.read('api/usage')).json();
    const bytes = listed.reduce((sum, { size }) => sum + size, 0);
    expect(usage).to.deep.include({ images: listed.length, bytes });
    return listed;
  }

  /** Until an upload is refused: then it is as full as its limit allows. */
  async fill(client: BusyClient, send: (act: () => Promise<void>) => Promise<void>): Promise<void> {
    const before = this.refusals;
    while (this.refusals === before) await send(() => this.uploadIfItFits(client));
    expect(await this.check(client.catalog)).to.have.length(this.maxImages);
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
