import { expect } from 'chai';
import { OPERATIONS } from './operations/operations.ts';
import type { FaultKind } from './port-calls.ts';
import type { Operation, Schedule } from './schedule.ts';
import { simulate } from './simulate.ts';

const WAYS: readonly FaultKind[] = ['error', 'hang', 'late', 'lost', 'death', 'death after', 'power cut'];

const SOMETHING: Operation = {
  kind: 'upload',
  client: 0,
  process: 0,
  picture: 0,
  key: 0,
  image: 0,
  choice: 1,
  space: 0,
};

/** Two images, one of them with a key. */
function before({ space }: Pick<Operation, 'space'>): readonly Operation[] {
  return [
    { ...SOMETHING, space },
    { ...SOMETHING, picture: 2, key: 1, space },
  ];
}

/** What can be done to them; what a client repeats that got no response, it repeats. */
const CASES: ReadonlyArray<readonly [string, Partial<Operation>]> = [
  ...[...OPERATIONS.keys()].map((kind) => [kind, { kind, picture: 4, key: 0 }] as const),
  ['upload with a key', { kind: 'upload', picture: 4, key: 2 }],
  ['upload with the key of another image', { kind: 'upload', picture: 4, key: 1 }],
  ['upload with the key of the same image', { kind: 'upload', picture: 2, key: 1 }],
  ['upload of a file that does not decode', { kind: 'upload', picture: 6, key: 2 }],
  ['upload that makes its space full', { kind: 'upload', picture: 0, space: 1 }],
  ['upload with a key that makes its space full', { kind: 'upload', picture: 0, key: 2, space: 1 }],
  ['upload with a key that does not fit into its space', { kind: 'upload', picture: 4, key: 2, space: 1 }],
  ['upload by a ticket to two processes at once', { kind: 'upload by ticket', picture: 4, choice: 0 }],
  ['upload by ticket that makes its space full', { kind: 'upload by ticket', picture: 0, space: 1 }],
  ['patch of the focus', { kind: 'patch', picture: 4, key: 0 }],
  ['patch with If-Match', { kind: 'patch', choice: 0 }],
  ['sweep after a grace', { kind: 'sweep', choice: 3 }],
];

/** What a repeated operation may end with: for one that has succeeded already, not every one is a success. */
const ANSWERS = [
  'done',
  'image_not_found',
  'invalid_image',
  'idempotency_key_reused',
  'metadata_changed',
  'quota_exceeded',
  'ticket_used',
  // As long as the first claim is not released.
  'idempotency_key_in_use',
];

function scheduleOf(stated: Partial<Operation>, faults: Schedule['faults']): Schedule {
  const operation = { ...SOMETHING, ...stated };
  return {
    seed: 1,
    processes: 2,
    stickiness: 1,
    isOnOneMachine: true,
    // Sent again, whether it has failed or not.
    operations: [...before(operation), operation, { ...operation, process: 1 }],
    faults,
  };
}

async function callsOf(operations: readonly Operation[]): Promise<number> {
  return (await simulate({ ...scheduleOf({}, []), operations })).requests;
}

describe('a fault at each call of a port', () => {
  for (const [title, stated] of CASES) {
    it(`leaves the catalog whole: ${title}`, async () => {
      const operation = { ...SOMETHING, ...stated };
      const first = (await callsOf(before(operation))) + 1;
      const last = await callsOf([...before(operation), operation]);
      expect(last).to.be.at.least(first);

      for (let at = first; at <= last; at += 1) {
        for (const kind of WAYS) {
          const { failure, injected, lastOutcome } = await simulate(scheduleOf(stated, [{ at, kind }]));
          const where = `${kind} at call ${at}, ${injected[0]?.call}`;
          expect(failure, `${where}: ${failure?.message}`).to.equal(undefined);
          expect(lastOutcome, where).to.be.oneOf(ANSWERS);
        }
      }
    });
  }
});
