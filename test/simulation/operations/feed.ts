import { EVERY_SPACE } from '../../../src/application/changes/read-changes.ts';
import type { Change, ChangePosition } from '../../../src/domain/ports/records/change-feed.ts';
import type { CatalogProcess } from '../catalog-process.ts';
import { require } from '../ledger.ts';
import type { SimulatedCatalog } from '../simulated-catalog.ts';
import type { Storage } from '../storage.ts';
import type { OperationKind } from './operation-kind.ts';

const PAGE = 3;

/** What a client keeps that follows the feed from its start: the version of the metadata of each image. */
export class Copy {
  readonly versions = new Map<number, number>();
  #after: ChangePosition | undefined;

  /** Remembers how far it has come, also if the process ends. */
  async follow({ readChanges }: CatalogProcess): Promise<void> {
    for (;;) {
      const page = await readChanges.page(EVERY_SPACE, this.#after, PAGE);
      for (const change of page.changes) this.apply(change);
      this.#after = page.next;
      if (!page.more) return;
    }
  }

  apply({ type, imageId, version = 1 }: Change): void {
    const known = this.versions.get(imageId);
    if (type === 'image.created') require(known === undefined, `image ${imageId} was created twice`);
    else require(known !== undefined, `${type} of image ${imageId}, which the feed does not know`);
    if (type === 'image.updated') {
      require(version === Number(known) + 1, `image ${imageId} went from version ${known} to ${version}`);
    }
    if (type === 'image.deleted') this.versions.delete(imageId);
    else this.versions.set(imageId, version);
  }

  requireSame(images: ReturnType<Storage['images']['all']>): void {
    const expected = JSON.stringify(images.map(({ id, metadataVersion }) => [id, metadataVersion]));
    const found = JSON.stringify([...this.versions].toSorted(([a], [b]) => a - b));
    require(found === expected, `a consumer of the feed has ${found}, the catalog ${expected}`);
  }
}

/** By client: the operations of one run one after the other. */
const copies = new WeakMap<SimulatedCatalog, Map<number, Copy>>();

function copiesOf(catalog: SimulatedCatalog): Map<number, Copy> {
  const known = copies.get(catalog) ?? new Map<number, Copy>();
  copies.set(catalog, known);
  return known;
}

export const FOLLOW: OperationKind = {
  weight: 3,
  run: async (catalog, { client, process }) => {
    const known = copiesOf(catalog);
    const copy = known.get(client) ?? new Copy();
    known.set(client, copy);
    const outcome = await catalog.attempt(() => copy.follow(catalog.process(process)));
    require(outcome.state !== 'refused', 'the feed does not reach back');
  },
};

/** Every consumer, and one that begins now, ends with exactly the catalog. */
export async function requireCopies(
  catalog: SimulatedCatalog,
  process: CatalogProcess,
  { images }: Storage,
): Promise<void> {
  for (const copy of [...copiesOf(catalog).values(), new Copy()]) {
    await copy.follow(process);
    copy.requireSame(images.all());
  }
}
