/** Why a decoder has ended, or was ended. */
export type DecoderEnd =
  /** It did not start. */
  | 'not_started'
  /** Beyond its bounds. */
  | 'cpu'
  | 'memory'
  | 'time'
  /** All decodes together would take more than their memory. */
  | 'no_memory'
  /** Killed or stopped by another process. */
  | 'signal'
  | 'crash'
  /** The client has left, the file could not be read, or the service stops. */
  | 'cancelled';

export class DecoderEnded extends Error {
  constructor(
    readonly end: DecoderEnd,
    readonly cpuSeconds: number,
    options?: ErrorOptions,
  ) {
    super(`The decoder has ended: ${end}`, options);
  }
}
