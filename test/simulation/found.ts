import type { Schedule } from './schedule.ts';

/** Schedules that have broken the contract before a fault was corrected. A change of the use cases gives them another order. */
export const FOUND: ReadonlyArray<readonly [what: string, schedule: Schedule]> = [
  [
    'an upload that stalls for longer than the grace is recorded without its blob',
    {
      seed: 51,
      processes: 2,
      stickiness: 0.5,
      isOnOneMachine: true,
      operations: [
        { kind: 'sweep', client: 0, process: 1, picture: 1, key: 1, image: 0, choice: 3, space: 0 },
        { kind: 'sweep', client: 1, process: 0, picture: 6, key: 1, image: 2, choice: 1, space: 0 },
        { kind: 'upload', client: 2, process: 2, picture: 3, key: 2, image: 0, choice: 1, space: 0 },
      ],
      faults: [{ at: 9, kind: 'stall' }],
    },
  ],
];
