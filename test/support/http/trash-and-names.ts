import { expect } from 'chai';
import { type Act, type BusyClient, ComeAgain, expectStatus, type Picture } from './busy-clients.ts';
import { type CatalogClient, type ImageRecord, uploadedId } from './catalog-client.ts';

/** Few, so that clients meet, and more than clients. */
const NAMES = 16;

/** An image that a name may point to. */
interface Target {
  readonly sha256: string;
  /** Unknown without a response to the upload. */
  readonly id?: number;
  readonly isPublic: boolean;
  /** Acknowledged removals of the image at the response; `undefined` if the image was moved meanwhile. */
  readonly removals?: number | undefined;
}

/** The image of a listed name. */
interface NamedRecord extends ImageRecord {
  readonly isPublic: boolean;
}

/** Where a name can point to after the last request. `undefined`: it is free. */
interface KnownName {
  readonly possible: ReadonlyArray<Target | undefined>;
  /** SHA-256 of an upload without a response, which sets the name if it is stored. */
  readonly uploaded?: string;
  /** A request is under way or got no response. */
  readonly isOpen: boolean;
}

const FREE: KnownName = { possible: [undefined], isOpen: false };

/** What the clients know about the names of their space. Each name has one request at a time. */
export class KnownNames {
  /** Acknowledged requests. */
  sets = 0;
  removals = 0;
  uploads = 0;
  private readonly known = new Map<string, KnownName>();

  readonly setOne: Act = async ({ catalog, random, ledger }) => {
    const [id, sha256] = anyOf([...ledger.kept], random) ?? [];
    const name = this.pick(random);
    if (id === undefined || sha256 === undefined || name === undefined) return;
    const before = this.of(name);
    const isPublic = random() < 0.5;
    const moves = ledger.movesOf(id);
    this.known.set(name, { possible: [...before.possible, { id, sha256, isPublic }], isOpen: true });
    const response = await catalog.setName(name, id, isPublic);
    const isMoved = ledger.movesOf(id) !== moves;
    await expectStatus(response, isMoved ? [200, 201, 404] : [200, 201], `name of image ${id}`);
    if (response.status === 404) {
      this.known.set(name, before);
      return;
    }
    this.points(name, { id, sha256, isPublic, removals: isMoved ? undefined : ledger.removalsOf(id) });
    this.sets += 1;
    await response.arrayBuffer();
  };

  readonly removeOne: Act = async ({ catalog, random }) => {
    const name = this.pick(random);
    if (name === undefined) return;
    const { possible } = this.of(name);
    this.known.set(name, { possible: [...possible, undefined], isOpen: true });
    const response = await catalog.removeName(name);
    await expectStatus(response, [204, 404], `removal of the name ${name}`);
    this.known.set(name, FREE);
    if (response.status === 204) this.removals += 1;
  };

  /** Uploads a new picture and points a name to it. */
  uploadNamed(makePicture: (random: () => number) => Promise<Picture>): Act {
    return async ({ catalog, random, ledger }) => {
      const { bytes, sha256, name: fileName } = await makePicture(random);
      const name = this.pick(random);
      if (name === undefined) return;
      const { possible } = this.of(name);
      const isPublic = random() < 0.5;
      ledger.sent.add(sha256);
      this.known.set(name, { possible: [...possible, { sha256, isPublic }], uploaded: sha256, isOpen: true });
      const response = await catalog.upload(bytes, fileName, {}, name, isPublic);
      await expectStatus(response, [201], 'upload with a name');
      const id = uploadedId(response);
      ledger.acknowledge(id, sha256);
      this.points(name, { id, sha256, isPublic, removals: 0 });
      this.uploads += 1;
      await response.arrayBuffer();
    };
  }

  /** While no request is under way. It settles open requests. */
  async check(
    catalog: CatalogClient,
    ledger: BusyClient['ledger'],
    live: readonly ImageRecord[],
  ): Promise<void> {
    const images = new Map(live.map((image) => [image.id, image]));
    const names = await catalog.listNames();
    for (const { name, id } of names) expect([...images.keys()], `image of the name ${name}`).to.include(id);
    const pointed = new Map(
      names.map(({ name, id, public: isPublic }) => {
        const image = images.get(id);
        return [name, image && { ...image, isPublic }];
      }),
    );
    expect([...this.known.keys()], 'names that were sent').to.include.members([...pointed.keys()]);
    for (const [name, { possible, uploaded }] of this.known) {
      const image = pointed.get(name);
      const stored = live.find(({ sha256 }) => sha256 === uploaded);
      if (stored !== undefined) expect(image?.id, `${name} of the stored upload`).to.equal(stored.id);
      const isMeant = possible.some((target) => fits(target, image, ledger));
      const wanted = possible.map(describe).join(' or ');
      expect(isMeant, `${name} is ${describe(image)}, and not ${wanted}`).to.equal(true);
      if (image === undefined) this.known.set(name, FREE);
      else this.points(name, { ...image, removals: ledger.removalsOf(image.id) });
    }
  }

  private points(name: string, { id, sha256, isPublic, removals }: Target & { readonly id: number }): void {
    this.known.set(name, { possible: [{ id, sha256, isPublic, removals }], isOpen: false });
  }

  private of(name: string): KnownName {
    return this.known.get(name) ?? FREE;
  }

  /** A name without an open request. */
  private pick(random: () => number): string | undefined {
    const names = Array.from({ length: NAMES }, (_, index) => `name-${index}`);
    return anyOf(
      names.filter((name) => !this.of(name).isOpen),
      random,
    );
  }
}

function describe(target: Pick<Target, 'id' | 'sha256' | 'isPublic'> | undefined): string {
  if (target === undefined) return 'nothing';
  return `${target.id ?? target.sha256}${target.isPublic ? ', public' : ''}`;
}

/** An image that is removed takes its names with it, and a restored one has none. */
function fits(
  target: Target | undefined,
  image: NamedRecord | undefined,
  ledger: BusyClient['ledger'],
): boolean {
  if (target === undefined) return image === undefined;
  const { id, sha256, removals } = target;
  const wasRemoved = id !== undefined && ledger.removalsOf(id) !== removals;
  const isRemovedAfterwards = wasRemoved && removals !== undefined;
  if (image === undefined) return wasRemoved || (id !== undefined && !ledger.kept.has(id));
  return image.sha256 === sha256 && image.isPublic === target.isPublic && !isRemovedAfterwards;
}

/** Takes an image out of the trash. */
export const restoreOne: Act = async ({ catalog, random, ledger }) => {
  const id = ledger.takeTrashed(random, 'restored');
  if (id === undefined) return;
  const response = await catalog.restore(id);
  if (response.status === 404) throw new ComeAgain(`restore of image ${id}: 404`);
  await expectStatus(response, [200], `restore of image ${id}`);
  ledger.confirmRestore(id);
  const image = (await response.json()) as ImageRecord;
  const { title, tags } = image;
  expect(image, `restored image ${id}`).to.deep.equal({ ...(ledger.records.get(id) ?? image), title, tags });
};

export const eraseOne: Act = async ({ catalog, random, ledger }) => {
  const id = ledger.takeTrashed(random, 'erased');
  if (id === undefined) return;
  const response = await catalog.erase(id);
  if (response.status === 404) throw new ComeAgain(`erasure of image ${id}: 404`);
  await expectStatus(response, [204], `erasure of image ${id}`);
  ledger.confirmErase(id);
};

function anyOf<T>(items: readonly T[], random: () => number): T | undefined {
  return items[Math.floor(random() * items.length)];
}
