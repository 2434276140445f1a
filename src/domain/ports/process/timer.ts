/** Calls `run` after this time, in ms, or earlier if that is more than the platform can count. Returns what cancels the call. */
export type Timer = (ms: number, run: () => void) => () => void;
