import { GRACE_MS } from '../catalog-process.ts';
import type { OperationKind } from './operation-kind.ts';

/** The sweeper of a process, most often twice with the grace between. */
export const SWEEP: OperationKind = {
  weight: 5,
  run: async (catalog, { process: place, choice }) => {
    const { sweep } = catalog.process(place);
    for (let times = 0; times < (choice === 0 ? 1 : 2); times += 1) {
      await catalog.attempt(() => sweep.execute({ dryRun: false }));
      if (choice > 0) catalog.moveClock(GRACE_MS + 1);
    }
  },
};
