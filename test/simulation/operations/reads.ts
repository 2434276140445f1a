import { GetImage } from '../../../src/application/get-image.ts';
import { collect } from '../../support/fixtures/bytes.ts';
import type { CatalogProcess } from '../catalog-process.ts';
import { require } from '../ledger.ts';
import type { SimulatedCatalog } from '../simulated-catalog.ts';
import type { OperationKind } from './operation-kind.ts';
import { someImage } from './uploads.ts';

/** The record of an image, and its bytes. */
export const READ: OperationKind = {
  weight: 4,
  run: async (catalog, operation) => {
    const id = someImage(catalog, operation);
    if (id === undefined) return;
    const since = catalog.ledger.now();
    const outcome = await catalog.attempt(() => readThrough(catalog, catalog.process(operation.process), id));
    if (outcome.state !== 'refused') return;
    require(outcome.code === 'image_not_found', `image ${id} could not be read: ${outcome.code}`);
    catalog.ledger.misses(id, since);
  },
};

async function readThrough({ ledger }: SimulatedCatalog, process: CatalogProcess, id: number): Promise<void> {
  const since = ledger.now();
  const image = await new GetImage(process.ports.images).execute(id);
  ledger.sees(image, since);
  const opened = await process.openFile.execute(image);
  const bytes = await collect(opened.read());
  const sent = ledger.sent.get(image.originalName);
  require(Buffer.compare(bytes, sent?.picture.bytes ?? bytes) === 0, `image ${id} has other bytes`);
}

/** The list of all images. */
export const LIST: OperationKind = {
  weight: 2,
  run: async (catalog, { process }) => {
    const { ledger } = catalog;
    const since = ledger.now();
    await catalog.attempt(async () => {
      const ids: number[] = [];
      const query = { filter: {}, sort: { by: 'created', order: 'asc' } } as const;
      for await (const images of catalog.process(process).listImages.batches(query)) {
        for (const image of images) {
          require(image.id > (ids.at(-1) ?? 0), `image ${image.id} is listed behind ${ids.at(-1)}`);
          ids.push(image.id);
          ledger.sees(image, since);
        }
      }
      for (const id of ledger.ids.filter((other) => !ids.includes(other))) ledger.misses(id, since);
    });
  },
};
