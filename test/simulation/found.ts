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
        { kind: 'upload', client: 1, process: 0, picture: 1, key: 1, image: 2, choice: 0, space: 0 },
        { kind: 'upload', client: 0, process: 3, picture: 2, key: 1, image: 0, choice: 0, space: 0 },
        { kind: 'delete', client: 0, process: 3, picture: 2, key: 2, image: 1, choice: 2, space: 0 },
        { kind: 'upload', client: 2, process: 2, picture: 0, key: 2, image: 0, choice: 3, space: 0 },
        { kind: 'reindex', client: 1, process: 3, picture: 5, key: 1, image: 0, choice: 2, space: 0 },
      ],
      faults: [],
    },
  ],
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
  [
    'the sweeper removes the staged file of a running upload after the clock was set ahead',
    {
      seed: 18,
      processes: 2,
      stickiness: 0.5,
      isOnOneMachine: true,
      operations: [
        { kind: 'sweep', client: 0, process: 3, picture: 3, key: 2, image: 0, choice: 0, space: 0 },
        { kind: 'sweep', client: 1, process: 2, picture: 1, key: 1, image: 1, choice: 0, space: 0 },
        { kind: 'sweep', client: 2, process: 3, picture: 3, key: 0, image: 2, choice: 0, space: 0 },
        { kind: 'sweep', client: 0, process: 2, picture: 1, key: 0, image: 2, choice: 1, space: 0 },
        { kind: 'upload', client: 1, process: 3, picture: 1, key: 2, image: 2, choice: 2, space: 0 },
        { kind: 'upload', client: 2, process: 1, picture: 1, key: 2, image: 0, choice: 2, space: 0 },
      ],
      faults: [{ at: 24, kind: 'clock ahead' }],
    },
  ],
];
