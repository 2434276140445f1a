import { FAULT_KINDS, type Fault } from './port-calls.ts';
import { Random } from './random.ts';

/** What a client or an operator does. Each kind takes from these numbers what it needs. */
export interface Operation {
  readonly kind: string;
  /** Those of one client run one after the other. */
  readonly client: number;
  readonly process: number;
  readonly picture: number;
  /** 0: without a key. */
  readonly key: number;
  /** Among the images of the moment. */
  readonly image: number;
  /** From 0 to 3. */
  readonly choice: number;
  /** Of the token. */
  readonly space: number;
}

/** All that decides a run: plain data, to be printed and made shorter. */
export interface Schedule {
  readonly seed: number;
  readonly processes: number;
  readonly stickiness: number;
  /** Whether processes see that another one has ended. */
  readonly isOnOneMachine: boolean;
  readonly operations: readonly Operation[];
  readonly faults: readonly Fault[];
}

const CLIENTS = 4;
const SPACES = 3;
const MOST_OPERATIONS = 14;
const FEWEST_OPERATIONS = 4;
const CALLS_OF_AN_OPERATION = 12;

/** @param weights how often each kind of operation is drawn */
export function scheduleOf(seed: number, weights: ReadonlyMap<string, number>): Schedule {
  const random = new Random(seed);
  // Some kinds of each schedule: few that meet often find more than many that meet rarely.
  const drawn = [...weights].filter(([kind]) => kind === 'upload' || random.chance(0.4));
  const kinds = drawn.flatMap(([kind, weight]) => Array.from({ length: weight }, () => kind));
  // Images of one space meet more often.
  const [firstSpace, spaces] = [random.below(SPACES), 1 + random.below(SPACES)];
  const count = FEWEST_OPERATIONS + random.below(MOST_OPERATIONS - FEWEST_OPERATIONS + 1);
  const operations = Array.from({ length: count }, () => ({
    kind: random.pick(kinds),
    client: random.below(CLIENTS),
    process: random.below(4),
    picture: random.below(7),
    key: random.below(3),
    image: random.below(3),
    choice: random.below(4),
    space: (firstSpace + random.below(spaces)) % SPACES,
  }));
  const faults = Array.from({ length: random.below(6) }, () => ({
    at: 1 + random.below(count * CALLS_OF_AN_OPERATION),
    kind: random.pick(FAULT_KINDS),
  }));
  return {
    seed,
    processes: 2 + random.below(3),
    stickiness: random.pick([0, 0.5, 0.9]),
    isOnOneMachine: random.chance(0.5),
    operations,
    faults: faults.toSorted((a, b) => a.at - b.at),
  };
}
