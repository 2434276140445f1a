import { CALLER } from '../../support/doubles/staying.ts';
import { SILENT } from '../catalog-process.ts';
import { require, spaceOf } from '../ledger.ts';
import type { Operation } from '../schedule.ts';
import type { SimulatedCatalog } from '../simulated-catalog.ts';
import type { OperationKind } from './operation-kind.ts';
import { someImage } from './some-images.ts';

/** As a process does with `TRASH_DAYS`; others delete for good. */
export const TRASH: OperationKind = {
  weight: 4,
  run: async (catalog, operation) => {
    const id = someImage(catalog, operation);
    if (id === undefined) return;
    const { ledger } = catalog;
    ledger.requestsDeletion(id, 'into the trash');
    const { trashImage } = catalog.process(operation.process);
    const outcome = await catalog.attempt(() => trashImage.execute(spaceOf(operation), id, { log: SILENT }));
    if (outcome.state === 'done') ledger.trashed(id);
    if (outcome.state !== 'refused') return;
    require(outcome.code === 'image_not_found', `a delete was refused: ${outcome.code}`);
    ledger.wasNotThereToDelete(id);
  },
};

/** Most often of an image that is there. */
function someTrashed(catalog: SimulatedCatalog, operation: Operation): number | undefined {
  const space = spaceOf(operation);
  const ids = catalog.storage.trash.all().flatMap((image) => (image.space === space ? [image.id] : []));
  return ids.at(operation.image % Math.max(1, ids.length)) ?? someImage(catalog, operation);
}

export const RESTORE: OperationKind = {
  weight: 4,
  run: async (catalog, operation) => {
    const id = someTrashed(catalog, operation);
    if (id === undefined) return;
    const { ledger } = catalog;
    ledger.requestsRestoration(id);
    const { restoreImage } = catalog.process(operation.process);
    const outcome = await catalog.attempt(() => restoreImage.execute(spaceOf(operation), id, CALLER));
    if (outcome.state === 'done') ledger.sees(outcome.value, spaceOf(operation));
    if (outcome.state !== 'refused') return;
    const isExpected = outcome.code === 'image_not_found' || outcome.code === 'overloaded';
    require(isExpected, `a restore was refused: ${outcome.code}`);
  },
};

export const ERASE: OperationKind = {
  weight: 1,
  run: async (catalog, operation) => {
    const id = someTrashed(catalog, operation);
    if (id === undefined) return;
    catalog.ledger.requestsDeletion(id);
    const { eraseImage } = catalog.process(operation.process);
    const outcome = await catalog.attempt(() => eraseImage.execute(spaceOf(operation), id, { log: SILENT }));
    if (outcome.state === 'refused') require(outcome.code === 'image_not_found', outcome.code);
  },
};

/** What is listed is in the trash of this space, newest first. */
export const LIST_TRASH: OperationKind = {
  weight: 1,
  run: async (catalog, { process, ...operation }) => {
    const space = spaceOf(operation);
    await catalog.attempt(async () => {
      const times: number[] = [];
      for await (const batch of catalog.process(process).listTrash.batches(space, {}, CALLER)) {
        for (const { image, trashedAt } of batch) {
          catalog.ledger.belongsTo(image.id, space);
          require(trashedAt.getTime() <= (times.at(-1) ?? Infinity), `image ${image.id} is listed too late`);
          times.push(trashedAt.getTime());
        }
      }
    });
  },
};
