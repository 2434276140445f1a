import { writeFileSync } from 'node:fs';
import type { DecoderPool } from '../../../src/adapters/decoder/decoder-pool.ts';
import { endStrays } from '../../../src/adapters/decoder/end-strays.ts';
import { decoderPool, jobOf } from '../doubles/decoders.ts';
import { rawPng } from '../fixtures/raw-pictures.ts';
import { eventually } from '../time/eventually.ts';
import { processIdsOf } from './process-tree.ts';

/** When the code in a decoder attacks. */
export type Phase = 'before' | 'during' | 'idle';

export interface Outcome {
  /** Jobs that were decoded at the same time after the attack. */
  readonly decoded: number;
  readonly isReady: boolean;
  /** Processes that the pool has started, after its end. */
  readonly left: number;
}

const MB = 1_000_000;
const BOUNDS = { cpuSeconds: 20, memoryBytes: 800 * MB, replyBytes: MB };

/** Takes some tenths of a second. */
const SLOW = rawPng({ width: 3_000, height: 3_000, colourType: 'rgba', bitDepth: 16, isInterlaced: true });
const QUICK = rawPng({ width: 16, height: 16, colourType: 'rgb', bitDepth: 8 });

async function inspect(pool: DecoderPool, input: Buffer): Promise<boolean> {
  const parse = ({ message }: { message: unknown }): unknown => message;
  const open = { kind: 'open', mediaType: 'image/png', maxPixels: 50 * MB, maxFramePixels: 50 * MB } as const;
  const job = pool.run(jobOf({ kind: 'inspection' }), async ({ ask }) => {
    await ask({ request: open, input, bounds: BOUNDS, parse });
    return await ask({ request: { kind: 'inspect' }, bounds: BOUNDS, parse });
  });
  return await job.then(
    () => true,
    () => false,
  );
}

async function decodeTwo(pool: DecoderPool): Promise<number> {
  const done = await Promise.all([inspect(pool, SLOW), inspect(pool, SLOW)]);
  return done.filter(Boolean).length;
}

async function attack(pool: DecoderPool, phase: Phase, trigger: string): Promise<void> {
  if (phase === 'before') writeFileSync(trigger, '');
  // The first start may be the victim: it fails at its limit.
  await eventually(() => pool.start().then(Boolean, () => false), Boolean);
  if (phase === 'idle') {
    await inspect(pool, QUICK);
    writeFileSync(trigger, '');
  }
  const first = inspect(pool, SLOW);
  if (phase === 'during') writeFileSync(trigger, '');
  await Promise.all([first, inspect(pool, SLOW)]);
}

const [program = '', trigger = '', phase = ''] = process.argv.slice(2);
// tsx compiles with a child process, which runs as long as this one. With all files in its cache, there is none.
const ofTsx = processIdsOf(process.pid);
const pool = decoderPool({ program, slots: 2, kept: 1, renditions: 1, maxWaitMs: 30_000, endStrays });
await attack(pool, phase as Phase, trigger);
const decoded = await eventually(
  () => decodeTwo(pool),
  (count) => count === 2,
);
const isReady = await pool.ping().then(
  () => true,
  () => false,
);
await pool.stop();
const left = await eventually(
  () => processIdsOf(process.pid).filter((pid) => !ofTsx.includes(pid)).length,
  (count) => count === 0,
);
process.stdout.write(`${JSON.stringify({ decoded, isReady, left } satisfies Outcome)}\n`);
process.exit();
