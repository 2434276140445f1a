import type { Schedule } from './schedule.ts';

/** Schedules that have broken the contract before a fault was corrected. A change of the use cases gives them another order. */
export const FOUND: ReadonlyArray<readonly [what: string, schedule: Schedule]> = [
  [
    'reindex reports an image as unreadable that is deleted meanwhile',
    {
      seed: 4728,
      processes: 3,
      stickiness: 0.5,
      isOnOneMachine: false,
      operations: [
        { kind: 'upload', client: 1, process: 0, picture: 1, key: 1, image: 2, choice: 0 },
        { kind: 'upload', client: 0, process: 3, picture: 2, key: 1, image: 0, choice: 0 },
        { kind: 'delete', client: 0, process: 3, picture: 2, key: 2, image: 1, choice: 2 },
        { kind: 'upload', client: 2, process: 2, picture: 0, key: 2, image: 0, choice: 3 },
        { kind: 'reindex', client: 1, process: 3, picture: 5, key: 1, image: 0, choice: 2 },
      ],
      faults: [],
    },
  ],
];
