import { ExportCatalog } from '../../../src/application/maintenance/export/export-catalog.ts';
import { StorageExportSource } from '../../../src/application/maintenance/export/storage-export-source.ts';
import { InMemoryExport } from '../../support/doubles/in-memory-export.ts';
import { STAYING } from '../../support/doubles/staying.ts';
import type { CatalogProcess } from '../catalog-process.ts';
import type { KeptExport } from '../kept-export.ts';
import { type Ledger, require, spaceOf } from '../ledger.ts';
import type { SimulatedCatalog } from '../simulated-catalog.ts';
import type { OperationKind } from './operation-kind.ts';

/** Each client resumes its own exports: of a space, and of the whole catalog. */
export const EXPORT: OperationKind = {
  weight: 1,
  run: async (catalog, { client, process, choice, ...operation }) => {
    const { exports, ledger } = catalog;
    const space = choice === 0 ? undefined : spaceOf(operation);
    const name = JSON.stringify([client, space]);
    const kept = exports.get(name) ?? { space, folder: new InMemoryExport() };
    exports.set(name, kept);
    const since = ledger.now();
    const outcome = await catalog.attempt(() => exportInto(kept, catalog, catalog.process(process)));
    const isWhole = outcome.state === 'done' && outcome.value === 0;
    if (isWhole) hasAll(kept.folder, ledger.standingSince(since, space));
    hasNothingElse(kept, ledger);
  },
};

/** Resolves to the number of originals that could not be read. */
export async function exportInto(
  { folder, space }: KeptExport,
  { ledger, calls }: SimulatedCatalog,
  { ports, openImageFile, portOf }: CatalogProcess,
): Promise<number> {
  const source = new StorageExportSource(
    { images: ports.images, space },
    openImageFile,
    (image, { title, tags }) => ({
      ...image,
      title,
      tags,
    }),
  );
  const since = ledger.now();
  const { damaged } = await new ExportCatalog(source, portOf('export', folder)).execute({
    filter: {},
    jobs: 2,
    stopped: STAYING,
    onOutcome: ({ id, outcome }) => {
      if (outcome === 'deleted') ledger.misses(id, since);
      require(outcome !== 'damaged' || calls.injected.length > 0, `image ${id} was exported as damaged`);
    },
  });
  return damaged;
}

export function hasAll({ lines }: InMemoryExport, ids: readonly number[]): void {
  for (const id of ids) require(lines.some((line) => line.id === id), `image ${id} is not in the export`);
}

/** What is noted is there, and has the bytes that were sent. */
export function hasNothingElse({ folder, space }: KeptExport, { sent }: Ledger): void {
  const { files, lines } = folder;
  for (const { id, file, originalName } of lines) {
    const expected = sent.get(originalName)?.picture.bytes ?? new Uint8Array();
    const isOfSpace = space === undefined || sent.get(originalName)?.space === space;
    require(isOfSpace, `image ${id} of another space was exported`);
    const bytes = files.get(file) ?? new Uint8Array();
    require(Buffer.compare(bytes, expected) === 0, `image ${id} was exported with other bytes`);
  }
  const names = new Map(lines.map(({ id, file }) => [id, file]));
  require(new Set(names.values()).size === names.size, 'two images were exported into one file');
}
