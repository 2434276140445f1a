const SHORT_MS = 30;

/** For work that never ends by itself: it ends then, or later if the machine is busy. */
export function soonOver(): AbortSignal {
  return AbortSignal.timeout(SHORT_MS);
}
