import { Worker } from 'node:worker_threads';
import { HANG_GUARD_MS } from '../../support/time/hang-guard.ts';
import { repeat } from '../../support/time/repeat.ts';
import { toBase64 } from './corpus-files.ts';
import type { FuzzPlan, FuzzReport } from './fuzz-parser.ts';

/** Bytes of the longest input of any parser. */
export const LONGEST_INPUT = 64 * 1024;
const HEAD_BYTES = 8;

/** A thread does not inherit the hooks that read TypeScript. */
const START = `import('tsx/esm/api').then(({ register }) => {
  register();
  return import(require('node:worker_threads').workerData.module);
});`;

/** Fuzzes in a thread of its own, which is ended if it stays in one input. */
export async function fuzzWatched(plan: FuzzPlan): Promise<FuzzReport> {
  const shared = new SharedArrayBuffer(HEAD_BYTES + LONGEST_INPUT);
  const module = new URL('./fuzz-worker.ts', import.meta.url).href;
  const worker = new Worker(START, { eval: true, workerData: { plan, shared, module } });
  let stopWatching = (): void => {};
  try {
    return await new Promise<FuzzReport>((resolve, reject) => {
      const giveUp = (fact: string): void => resolve(hung(fact, shared));
      stopWatching = watch(shared, () => giveUp(`does not end within ${HANG_GUARD_MS} ms`));
      worker.once('message', resolve).once('error', reject);
      worker.once('exit', () => giveUp('never settles'));
    });
  } finally {
    stopWatching();
    await worker.terminate();
  }
}

/** For the thread: tells which input it is about to run. */
export function announcer(shared: SharedArrayBuffer): (input: Uint8Array) => void {
  const [count, length] = [new Uint32Array(shared, 0, 1), new Uint32Array(shared, 4, 1)];
  const bytes = new Uint8Array(shared, HEAD_BYTES);
  return (input) => {
    bytes.set(input);
    length[0] = input.length;
    Atomics.add(count, 0, 1);
  };
}

function watch(shared: SharedArrayBuffer, onHang: () => void): () => void {
  const count = new Uint32Array(shared, 0, 1);
  let before = -1;
  return repeat(HANG_GUARD_MS, () => {
    const now = Atomics.load(count, 0);
    // Nothing has run while the thread starts.
    if (now > 0 && now === before) onHang();
    before = now;
  });
}

function hung(fact: string, shared: SharedArrayBuffer): FuzzReport {
  const [executions = 0, length = 0] = new Uint32Array(shared, 0, 2);
  const input = toBase64(new Uint8Array(shared, HEAD_BYTES, length).slice());
  return { executions, seconds: 0, share: 0, corpus: [], heapGrowthBytes: 0, finding: { fact, input } };
}
