import { STAYING } from '../../support/doubles/staying.ts';
import { GRACE_MS } from '../catalog-process.ts';
import { require } from '../ledger.ts';
import type { SimulatedCatalog } from '../simulated-catalog.ts';
import type { OperationKind } from './operation-kind.ts';

/** Calls that no other operation makes. */
const SWEEPS =
  /^(?:staging\.\w+Orphans?|keys\.removeClaimed|changes\.removeOlder|slices\.|images\.removeUnrecorded|renditions\.list)/;

/** Another client may sweep at the same time. */
function isAlone({ schedule }: SimulatedCatalog): boolean {
  return new Set(schedule.operations.map(({ client }) => client)).size === 1;
}

/** The sweeper of a process, most often twice with the grace between. */
export const SWEEP: OperationKind = {
  weight: 5,
  run: async (catalog, { process: place, choice }) => {
    const { sweep, sweepBlobs } = catalog.process(place);
    const { injected } = catalog.calls;
    for (let times = 0; times < (choice === 0 ? 1 : 2); times += 1) {
      const before = injected.length;
      const { state } = await catalog.attempt(async () => {
        // As the command does, and as the service does.
        if (choice < 2) return await sweep.execute({ dryRun: false });
        await sweep.sweepOwn({ dryRun: false });
        return await sweepBlobs.sweepDue(0, STAYING);
      });
      const failed = injected.slice(before).find(({ kind, call }) => kind === 'error' && SWEEPS.test(call));
      const isDone = state === 'done' && failed !== undefined && isAlone(catalog);
      require(!isDone, `a sweep is done although ${failed?.call} failed`);
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
      for await (const { finding } of reindex.records()) {
        require(finding === undefined || catalog.calls.injected.length > 0, `reindex: ${finding?.failure}`);
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
