import type { Caller } from '../../../src/application/concurrency/turns.ts';
import type { TimeLimit } from '../../../src/domain/ports/records/image-search.ts';

/** The signal of a client that does not leave. */
export const STAYING: AbortSignal = new AbortController().signal;

export const CALLER: Caller = { subject: 'a', leaving: STAYING };

export const UNLIMITED: TimeLimit = { withinMs: 60_000, stopped: STAYING };
