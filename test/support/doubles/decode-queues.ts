import { DecodeQueue } from '../../../src/adapters/sharp/decode-queue.ts';
import { WeightedSemaphore } from '../../../src/adapters/sharp/weighted-semaphore.ts';

interface QueueOptions {
  readonly concurrency?: number;
  readonly maxWaiting?: number;
  readonly maxWaitMs?: number;
  /** Bytes. */
  readonly memory?: WeightedSemaphore;
}

/** A queue with sufficient limits for tests of something else. */
export function decodeQueue(options: QueueOptions = {}): DecodeQueue {
  const { concurrency = 2, maxWaiting = 100, maxWaitMs = 20_000 } = options;
  const memory = options.memory ?? new WeightedSemaphore(1024 ** 3);
  return new DecodeQueue(memory, { concurrency, maxWaiting, maxWaitMs });
}
