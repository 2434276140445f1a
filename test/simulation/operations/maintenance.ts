import { STAYING } from '../../support/doubles/staying.ts';
import { GRACE_MS } from '../catalog-process.ts';
import { require } from '../ledger.ts';
import type { OperationKind } from './operation-kind.ts';

/** The sweeper of a process, most often twice with the grace between. */
export const SWEEP: OperationKind = {
  weight: 5,
  run: async (catalog, { process: place, choice }) => {
    const { sweep, sweepBlobs } = catalog.process(place);
    for (let times = 0; times < (choice === 0 ? 1 : 2); times += 1) {
      await catalog.attempt(async () => {
        // As the command does, and as the service does.
        if (choice < 2) return await sweep.execute({ dryRun: false });
        await sweep.sweepOwn({ dryRun: false });
        return await sweepBlobs.sweepDue(0, STAYING);
      });
      if (choice > 0) catalog.passTime(GRACE_MS + 1);
    }
  },
};

/** A command that checks all images while they are in use. */
export const VERIFY: OperationKind = {
  weight: 1,
  run: async (catalog, { process }) => {
    const { ledger, calls } = catalog;
    const { verify } = catalog.process(process);
    await catalog.attempt(async () => {
      for await (const { finding } of verify.records({ isChosen: () => true })) {
        const isInUse = finding !== undefined && ledger.standing.includes(finding.imageId ?? 0);
        const isInjected = finding?.problem === 'damaged' && calls.injected.length > 0;
        require(!isInUse || isInjected, `verify: ${JSON.stringify(finding)}`);
      }
      const images = catalog.storage.images.all();
      for await (const { blobKey } of verify.orphans(GRACE_MS)) {
        const used = images.find(({ id, uuid }) => uuid === blobKey && ledger.standing.includes(id));
        require(used === undefined, `verify: the blob of image ${used?.id} is orphaned`);
      }
    });
  },
};

export const REINDEX: OperationKind = {
  weight: 1,
  run: async (catalog, { process }) => {
    const { reindex } = catalog.process(process);
    await catalog.attempt(async () => {
      for await (const { failure } of reindex.images({})) {
        require(failure === undefined || catalog.calls.injected.length > 0, `reindex: ${failure}`);
      }
    });
  },
};

export const ROTATE: OperationKind = {
  weight: 1,
  run: async (catalog, { process }) => {
    const { rotateLinkKey } = catalog.process(process);
    await catalog.attempt(() => rotateLinkKey.execute({ revoke: false }));
  },
};
