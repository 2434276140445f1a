import type { ProcessRegistry } from '../../../src/domain/ports/process/process-registry.ts';

/** One call of an in-memory adapter. */
export interface Call {
  /** The process that calls. */
  readonly process: string;

  /** A moment at which the call may be interrupted: rejects if the rest of the call never happens. */
  reach(moment: string): Promise<void>;
}

/** Who calls in-memory adapters. A simulation decides when their calls go on, and which processes end. */
export interface Calls extends Pick<ProcessRegistry, 'isGone' | 'isRunning'> {
  /** Called in the turn in which a method is called. */
  begin(): Call;
}

/** One process, which never ends. */
export const UNINTERRUPTED: Calls = {
  begin: () => ({ process: 'test', reach: async () => {} }),
  isGone: () => false,
  isRunning: (process) => process === 'test',
};
