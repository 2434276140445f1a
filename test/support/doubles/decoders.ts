import { maxJobBytes } from '../../../src/adapters/decoder/decode-bounds.ts';
import { DecodeMemory } from '../../../src/adapters/decoder/decode-memory.ts';
import {
  DecoderPool,
  type DecoderPoolOptions,
  type ImageJob,
} from '../../../src/adapters/decoder/decoder-pool.ts';
import { DecoderProcess } from '../../../src/adapters/decoder/decoder-process.ts';
import { systemTimer } from '../../../src/adapters/system/system-timer.ts';
import type { Timer } from '../../../src/domain/ports/process/timer.ts';
import { decoderProgram } from '../../../src/infrastructure/decoder-program.ts';
import { libraryVersions } from '../../../src/infrastructure/library-versions.ts';
import { HANG_GUARD_MS } from '../time/hang-guard.ts';
import { STAYING } from './staying.ts';

interface PoolOptions extends Partial<DecoderPoolOptions> {
  /** The path of a decoder other than the built one. */
  readonly program?: string;
  /** Bytes. */
  readonly memory?: DecodeMemory;
  readonly timer?: Timer;
  readonly warn?: (facts: Readonly<Record<string, unknown>>) => void;
}

/** Those that the built decoder reports. */
export const VERSIONS = libraryVersions();

/** That of a service with its default settings. */
const MAX_JOB_BYTES = maxJobBytes(65_000_000, 50 * 1024 * 1024);

/** Decoders with sufficient limits for tests of something else. A process starts with the first decode; `stop` ends it. */
export function decoderPool({
  memory,
  timer = systemTimer,
  warn = () => {},
  program = decoderProgram(),
  slots = 3,
  ...options
}: PoolOptions = {}): DecoderPool {
  const limits = {
    startDecoder: (stopped: AbortSignal) =>
      DecoderProcess.start({ path: program, maxJobBytes: MAX_JOB_BYTES, versions: VERSIONS }, stopped),
    slots,
    kept: slots,
    renditions: 2,
    maxWaiting: 100,
    maxWaitMs: HANG_GUARD_MS,
  };
  return new DecoderPool({ ...limits, ...options }, memory ?? new DecodeMemory(1024 ** 3), { warn }, timer);
}

/** For the tests of a process. They end with it. */
export const DECODERS = decoderPool({ slots: 2, renditions: 1 });

let started: Promise<unknown> | undefined;

/** Resolves when one of `DECODERS` can decode. Each start of a pool starts one more process, so this is done once. */
export async function startDecoders(): Promise<void> {
  started ??= DECODERS.start();
  await started;
}

export function jobOf(job: Partial<ImageJob> = {}): ImageJob {
  const { subject = 'a', signal = STAYING, sha256 = '0'.repeat(64) } = job;
  return { kind: 'rendition', mediaType: 'image/jpeg', ...job, subject, signal, sha256 };
}
