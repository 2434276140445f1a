import { CpuProfile } from './cpu-profile.ts';
import { longestPiece } from './longest-piece.ts';
import { type LongTurn, MAX_HOLD_MS, measureTurns, skipToNow, takeLongTurns } from './loop-meter.ts';
import { mainThreadCpu } from './main-thread-cpu.ts';

let stop = (): void => {};
let profile: CpuProfile | undefined;
const wrapped = new WeakSet<Mocha.Func | Mocha.AsyncFunc>();

/**
 * For `mocha --require`: a test fails if the service holds the event loop for too long. The CPU of a turn is also that of the test,
 * of the collection of garbage, and of code that runs for the first time. A test with a long turn is therefore repeated once with a
 * profile, which decides.
 */
export const mochaHooks = {
  beforeAll(): void {
    if (mainThreadCpu() !== undefined) stop = measureTurns();
    else console.warn('  The event loop is not watched: the system has no schedstat');
  },
  beforeEach(this: Mocha.Context): void {
    const test = this.currentTest;
    if (test?.fn === undefined || test.fn.length > 0 || mainThreadCpu() === undefined) return;
    const isRepeated = test.retries() > 0;
    if (!wrapped.has(test.fn)) test.fn = watched(test.fn as Mocha.AsyncFunc);
    if (isRepeated) profile = CpuProfile.start();
    skipToNow();
    takeLongTurns();
  },
  afterEach(): void {
    profile?.stop();
    profile = undefined;
  },
  afterAll(): void {
    stop();
  },
};

function watched(run: Mocha.AsyncFunc): Mocha.AsyncFunc {
  async function judged(this: Mocha.Context): Promise<void> {
    const test = this.test as Mocha.Test;
    if (profile !== undefined) return await repeatWith(profile, async () => await run.call(this));
    await run.call(this);
    if (takeLongTurns().length === 0 || test.retries() > 0) return;
    test.retries(1);
    throw new Error('A turn of the event loop was long. The test is repeated');
  }
  wrapped.add(judged);
  return judged;
}

/** The test has passed, and may not do so twice. */
async function repeatWith(running: CpuProfile, run: () => Promise<unknown>): Promise<void> {
  await run().catch(() => undefined);
  const turns = takeLongTurns();
  profile = undefined;
  const taken = running.stop();
  for (const turn of turns) {
    const { cpuMs, functions } = longestPiece(taken, turn);
    if (cpuMs > MAX_HOLD_MS) throw new Error(message(turn, cpuMs, functions));
  }
}

function message({ requests }: LongTurn, cpuMs: number, functions: readonly string[]): string {
  const routes = [...new Set(requests.map(({ route }) => route))].join(', ');
  return `The service held the event loop for ${Math.round(cpuMs)} ms of CPU during ${routes}: ${functions.join(', ')}`;
}
