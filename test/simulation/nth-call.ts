import { expect } from 'chai';
import { chosenOf, type Sample, titleOf } from '../support/sample.ts';
import { OPERATIONS } from './operations/operations.ts';
import type { Fault, FaultKind } from './port-calls.ts';
import type { Operation, Schedule } from './schedule.ts';
import { simulate } from './simulate.ts';

const WAYS: readonly FaultKind[] = ['error', 'hang', 'late', 'lost', 'death', 'death after', 'power cut'];

const TWICE: ReadonlyArray<readonly [FaultKind, FaultKind]> = [
  ['error', 'error'],
  ['error', 'lost'],
  ['lost', 'error'],
];

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

/** Of these a second call fails as well: what undoes the first, most often. */
const FAILING_TWICE: ReadonlyArray<readonly [string, Partial<Operation>]> = [
  ['upload', { kind: 'upload', picture: 4 }],
  ['upload with a key', { kind: 'upload', picture: 4, key: 2 }],
  ['delete', { kind: 'delete' }],
  ['rendition', { kind: 'rendition', choice: 1 }],
];

/** A schedule of one operation of which these calls fail leaves the catalog whole. */
async function checkFaults(stated: Partial<Operation>, faults: readonly Fault[]): Promise<void> {
  const { failure, injected, lastOutcome } = await simulate(scheduleOf(stated, faults));
  const where = injected.map(({ kind, call }) => `${kind} at ${call}`).join(', ');
  const schedule = `npm run simulate -- --schedule '${JSON.stringify(scheduleOf(stated, faults))}'`;
  expect(failure, `${where}: ${failure?.message}\n${schedule}`).to.equal(undefined);
  expect(lastOutcome, `${where}\n${schedule}`).to.be.oneOf(ANSWERS);
}

/** The calls that the operation makes itself. */
async function placesOf(stated: Partial<Operation>): Promise<readonly number[]> {
  const operation = { ...SOMETHING, ...stated };
  const first = (await callsOf(before(operation))) + 1;
  const last = await callsOf([...before(operation), operation]);
  expect(last).to.be.at.least(first);
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

/** @param sample of the faults of each operation */
export function survivesAFaultAtEachCall(sample: Sample): void {
  describe(titleOf('a fault at each call of a port', sample), () => {
    for (const [title, stated] of CASES) {
      it(`leaves the catalog whole: ${title}`, async () => {
        const faults = (await placesOf(stated)).flatMap((at) => WAYS.map((kind) => ({ at, kind })));
        for (const fault of chosenOf(faults, sample)) await checkFaults(stated, [fault]);
      });
    }

    for (const [title, stated] of FAILING_TWICE) {
      it(`leaves the catalog whole if a later call fails as well: ${title}`, async () => {
        const places = await placesOf(stated);
        const pairs = places.flatMap((at) =>
          places.flatMap((later) =>
            later > at
              ? TWICE.map(([one, two]) => [
                  { at, kind: one },
                  { at: later, kind: two },
                ])
              : [],
          ),
        );
        for (const faults of chosenOf(pairs, sample)) await checkFaults(stated, faults);
      });
    }
  });
}
