import { EVERY_SPACE, type SeenSpace } from '../../../src/application/changes/read-changes.ts';
import type { Change, ChangePosition, ChangeType } from '../../../src/domain/ports/records/change-feed.ts';
import type { Space } from '../../../src/domain/space/space.ts';
import type { CatalogProcess } from '../catalog-process.ts';
import { require, SPACES, spaceOf } from '../ledger.ts';
import type { SimulatedCatalog } from '../simulated-catalog.ts';
import type { Storage } from '../storage.ts';
import type { OperationKind } from './operation-kind.ts';

const PAGE = 3;

/** What a client keeps that follows the feed from its start: the version of the metadata of each image. */
export class Copy {
  readonly versions = new Map<number, number>();
  /** The image of each. */
  readonly names = new Map<string, number>();
  readonly #trashed = new Map<number, number>();
  #after: ChangePosition | undefined;

  constructor(readonly space: SeenSpace) {}

  /** Remembers how far it has come, also if the process ends. */
  async follow({ readChanges }: CatalogProcess): Promise<void> {
    for (;;) {
      const page = await readChanges.page(this.space, this.#after, PAGE);
      for (const change of page.changes) this.apply(change);
      this.#after = page.next;
      if (!page.more) return;
    }
  }

  apply({ type, space, imageId, version = 1, name }: Change): void {
    const isMeant = this.space === EVERY_SPACE || this.space === space;
    require(isMeant, `${type} of image ${imageId} in another space`);
    const known = this.versions.get(imageId);
    if (name !== undefined) return this.#applyName(`${space}/${name}`, type, imageId);
    if (type === 'image.restored') return this.#restore(imageId);
    if (type === 'image.trashed') return this.#trash(imageId);
    if (type === 'image.deleted' && this.#trashed.delete(imageId)) return;
    if (type === 'image.created') require(known === undefined, `image ${imageId} was created twice`);
    else require(known !== undefined, `${type} of image ${imageId}, which the feed does not know`);
    if (type === 'image.updated') {
      require(version === Number(known) + 1, `image ${imageId} went from version ${known} to ${version}`);
    }
    if (type === 'image.deleted') this.#requireNoNames(imageId);
    if (type === 'image.deleted') this.versions.delete(imageId);
    else this.versions.set(imageId, version);
  }

  #trash(id: number): void {
    const version = this.versions.get(id);
    require(version !== undefined, `image ${id} was trashed, which the feed does not know`);
    this.#requireNoNames(id);
    this.versions.delete(id);
    this.#trashed.set(id, version);
  }

  #restore(id: number): void {
    const version = this.#trashed.get(id);
    require(version !== undefined, `image ${id} was restored, which is not in the trash`);
    this.#trashed.delete(id);
    this.versions.set(id, version);
  }

  #applyName(name: string, type: ChangeType, imageId: number): void {
    require(this.versions.has(imageId), `the name ${name} is of image ${imageId}, which is not there`);
    if (type === 'name.set') this.names.set(name, imageId);
    else require(this.names.delete(name), `the name ${name} was removed, which the feed does not know`);
  }

  /** They are removed before it. */
  #requireNoNames(id: number): void {
    for (const [name, imageId] of this.names) require(imageId !== id, `image ${id} left its name ${name}`);
  }

  requireSame({ images: all, names, trash }: Storage): void {
    const images = all.all();
    const isSeen = ({ space }: { readonly space: Space }): boolean =>
      this.space === EVERY_SPACE || this.space === space;
    const pointing = names.all().flatMap(({ imageId, ...one }) => {
      return imageId !== undefined && isSeen(one) ? [`${one.space}/${one.name} ${imageId}`] : [];
    });
    const there = pointing.toSorted().join();
    const told = Array.from(this.names, ([name, imageId]) => `${name} ${imageId}`)
      .toSorted()
      .join();
    require(told === there, `a consumer of the feed has the names ${told}, the catalog ${there}`);
    const trashed = trash.all().flatMap((one) => (isSeen(one) ? [one.id] : []));
    const inTrash = [...this.#trashed.keys()].toSorted((a, b) => a - b).join();
    require(inTrash ===
      trashed.join(), `a consumer of the feed has ${inTrash} in the trash, the catalog ${trashed.join()}`);
    const seen = images.filter(isSeen);
    const expected = JSON.stringify(seen.map(({ id, metadataVersion }) => [id, metadataVersion]));
    const found = JSON.stringify([...this.versions].toSorted(([a], [b]) => a - b));
    require(found === expected, `a consumer of the feed has ${found}, the catalog ${expected}`);
  }
}

/** By client and space: the operations of a client run one after the other. */
const copies = new WeakMap<SimulatedCatalog, Map<string, Copy>>();

function copiesOf(catalog: SimulatedCatalog): Map<string, Copy> {
  const known = copies.get(catalog) ?? new Map<string, Copy>();
  copies.set(catalog, known);
  return known;
}

export const FOLLOW: OperationKind = {
  weight: 3,
  run: async (catalog, { client, process, choice, ...operation }) => {
    const known = copiesOf(catalog);
    const space = choice === 0 ? EVERY_SPACE : spaceOf(operation);
    const name = `${client} ${String(space)}`;
    const copy = known.get(name) ?? new Copy(space);
    known.set(name, copy);
    const outcome = await catalog.attempt(() => copy.follow(catalog.process(process)));
    require(outcome.state !== 'refused', 'the feed does not reach back');
  },
};

/** Every consumer, and those that begin now, end with exactly their part of the catalog. */
export async function requireCopies(
  catalog: SimulatedCatalog,
  process: CatalogProcess,
  storage: Storage,
): Promise<void> {
  const spaces: readonly SeenSpace[] = [...SPACES, EVERY_SPACE];
  const begun = spaces.map((space) => new Copy(space));
  for (const copy of [...copiesOf(catalog).values(), ...begun]) {
    await copy.follow(process);
    copy.requireSame(storage);
  }
}
