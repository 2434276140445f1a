/** The client of a request. */
export interface Caller {
  readonly subject: string;
  /** Aborts when the client has left. */
  readonly leaving: AbortSignal;
}
