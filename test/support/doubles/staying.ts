/** The signal of a client that does not leave. */
export const STAYING: AbortSignal = new AbortController().signal;
