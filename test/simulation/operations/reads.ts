import type { Space } from '../../../src/domain/space/space.ts';
import { CALLER } from '../../support/doubles/staying.ts';
import { collect } from '../../support/fixtures/bytes.ts';
import { type CatalogProcess, SILENT, SMALL } from '../catalog-process.ts';
import { require, spaceOf } from '../ledger.ts';
import { ClientLeft, type SimulatedCatalog } from '../simulated-catalog.ts';
import { renditionBytes } from '../storage.ts';
import type { OperationKind } from './operation-kind.ts';
import { someImage } from './some-images.ts';

/** The record of an image, and its bytes. */
export const READ: OperationKind = {
  weight: 4,
  run: async (catalog, operation) => {
    const id = someImage(catalog, operation);
    if (id === undefined) return;
    const since = catalog.ledger.now();
    const outcome = await catalog.attempt(() =>
      readThrough(catalog, catalog.process(operation.process), spaceOf(operation), id),
    );
    if (outcome.state !== 'refused') return;
    require(outcome.code === 'image_not_found', `image ${id} could not be read: ${outcome.code}`);
    catalog.ledger.misses(id, since);
  },
};

async function readThrough(
  { ledger }: SimulatedCatalog,
  process: CatalogProcess,
  space: Space,
  id: number,
): Promise<void> {
  const since = ledger.now();
  const image = await process.getImage(space, id);
  ledger.sees(image, space, since);
  const opened = await process.openImageFile.execute(image);
  const bytes = await collect(opened.read());
  const sent = ledger.sent.get(image.originalName);
  require(Buffer.compare(bytes, sent?.picture.bytes ?? bytes) === 0, `image ${id} has other bytes`);
}

/** The list of all images of a space. */
export const LIST: OperationKind = {
  weight: 2,
  run: async (catalog, { process, ...operation }) => {
    const { ledger } = catalog;
    const space = spaceOf(operation);
    const since = ledger.now();
    await catalog.attempt(async () => {
      const ids: number[] = [];
      const query = { filter: {}, sort: { by: 'created', order: 'asc' } } as const;
      for await (const images of catalog.process(process).listImages.batches(space, query, CALLER)) {
        for (const image of images) {
          require(image.id > (ids.at(-1) ?? 0), `image ${image.id} is listed behind ${ids.at(-1)}`);
          ids.push(image.id);
          ledger.sees(image, space, since);
        }
      }
      for (const id of ledger.standingSince(since, space)) {
        require(ids.includes(id), `image ${id} is not listed`);
      }
    });
  },
};

/** Some clients leave before they have it. */
export const RENDITION: OperationKind = {
  weight: 4,
  run: async (catalog, operation) => {
    const id = someImage(catalog, operation);
    if (id === undefined) return;
    const { ledger, scheduler } = catalog;
    const since = ledger.now();
    const space = spaceOf(operation);
    const process = catalog.process(operation.process);
    const leaving = new AbortController();
    if (operation.choice === 0) {
      void scheduler.reach(undefined, 'client leaves').then(() => leaving.abort(new ClientLeft()));
    }
    const outcome = await catalog.attempt(async () => {
      const image = await process.getImage(space, id);
      ledger.sees(image, space, since);
      const client = { leaving: () => leaving.signal, subject: 'a client', log: SILENT };
      const { bytes } = await process.openRendition.execute(image, SMALL, client);
      const original = ledger.sent.get(image.originalName)?.picture.bytes ?? new Uint8Array();
      const isRight = Buffer.compare(await collect(bytes.read()), renditionBytes(original, SMALL)) === 0;
      require(isRight, `the rendition of image ${id} is not its own`);
    });
    if (outcome.state !== 'refused' || outcome.code === 'overloaded') return;
    require(outcome.code === 'image_not_found', `no rendition of image ${id}: ${outcome.code}`);
    ledger.misses(id, since);
  },
};

/** The first groups of copies of a space. */
export const COPIES: OperationKind = {
  weight: 1,
  run: async (catalog, operation) => {
    const { ledger } = catalog;
    const since = ledger.now();
    const space = spaceOf(operation);
    await catalog.attempt(async () => {
      const seen = new Set<number>();
      const { findCopies } = catalog.process(operation.process);
      for await (const { items } of findCopies.page(space, { after: undefined, limit: 3 }, CALLER)) {
        for (const image of items.flatMap(({ item }) => item)) {
          require(!seen.has(image.id), `image ${image.id} is in two groups of copies`);
          seen.add(image.id);
          ledger.sees(image, space, since);
        }
      }
    });
  },
};

export const SIMILAR: OperationKind = {
  weight: 2,
  run: async (catalog, operation) => {
    const id = someImage(catalog, operation);
    if (id === undefined) return;
    const { ledger } = catalog;
    const since = ledger.now();
    const space = spaceOf(operation);
    const { findSimilar } = catalog.process(operation.process);
    const outcome = await catalog.attempt(() => findSimilar.report(space, id));
    if (outcome.state === 'refused') ledger.misses(id, since);
    if (outcome.state !== 'done') return;
    for (const { image } of outcome.value) ledger.sees(image, space, since);
    const found = outcome.value.map(({ image }) => image.id);
    require(!found.includes(id), `image ${id} is similar to itself`);
  },
};
