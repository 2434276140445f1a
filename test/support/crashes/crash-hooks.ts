import { describeCrashes, takeCrashes } from './crashed-processes.ts';

function requireNoCrash(): void {
  const crashes = takeCrashes();
  if (crashes.length > 0) throw new Error(describeCrashes(crashes));
}

/**
 * For `mocha --require`: the run fails if a process that a test has started ends by an uncaught exception or an unhandled rejection, also
 * if no test looks at its exit code. Mocha itself fails for those of the process of the tests.
 */
export const mochaHooks = { afterEach: requireNoCrash, afterAll: requireNoCrash };
