/**
 * Ends what hangs, so that the test says what it waited for. No test waits until it to pass, and a machine that is thirty
 * times as slow as an idle one does not reach it. The limit of a whole test, in `.mocharc.json`, is twice as long.
 */
export const HANG_GUARD_MS = 300_000;

/** The limit of a test that installs packages or builds an image, or whose size is chosen. */
export const LONG_TEST_MS = 3_600_000;

/** For what takes a signal. */
export function hangGuard(): AbortSignal {
  return AbortSignal.timeout(HANG_GUARD_MS);
}
