import type { Space } from '../../../src/domain/space/space.ts';
import { collect } from '../../support/fixtures/bytes.ts';
import type { CatalogProcess } from '../catalog-process.ts';
import { require, spaceOf } from '../ledger.ts';
import type { SimulatedCatalog } from '../simulated-catalog.ts';
import type { OperationKind } from './operation-kind.ts';
import { someImages } from './some-images.ts';

/** All images as one file, in which each has its bytes. A failure on the way breaks it off. */
export const ARCHIVE: OperationKind = {
  weight: 2,
  run: async (catalog, { process, ...operation }) => {
    const space = spaceOf(operation);
    const ids = someImages(catalog, space);
    if (ids.length === 0) return;
    const since = catalog.ledger.now();
    const outcome = await catalog.attempt(() => download(catalog, catalog.process(process), space, ids));
    if (outcome.state === 'unknown') return;
    require(outcome.state === 'done' || outcome.code === 'image_not_found', 'an archive was refused');
    const included = outcome.state === 'done' ? outcome.value : [];
    for (const id of ids) if (!included.includes(id)) catalog.ledger.misses(id, since);
  },
};

/** Resolves to the images that were included. */
async function download(
  { ledger }: SimulatedCatalog,
  { archiveImages }: CatalogProcess,
  space: Space,
  ids: readonly number[],
): Promise<readonly number[]> {
  const since = ledger.now();
  const { entries, first, open } = await archiveImages.execute(space, [...ids, ...ids]);
  const included: number[] = [];
  for (const [at, { image }] of entries.entries()) {
    ledger.sees(image, space, since);
    const blob = at === 0 ? first : await open(image);
    if (blob === undefined) continue;
    const bytes = await collect(blob.read());
    const expected = ledger.sent.get(image.originalName)?.picture.bytes ?? new Uint8Array();
    require(Buffer.compare(bytes, expected) === 0, `image ${image.id} has other bytes in an archive`);
    included.push(image.id);
  }
  const inOrder = ids.filter((id) => included.includes(id));
  require(inOrder.join() ===
    included.join(), `an archive of ${ids.join()} has the images ${included.join()}`);
  const names = new Set(entries.map(({ name }) => name));
  require(names.size === entries.length, 'an archive has two files of one name');
  return included;
}
