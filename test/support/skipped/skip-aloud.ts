import { noteReason } from './skipped-files.ts';

/**
 * Skips a test, or all of a suite if it is called by a hook, and prints the reason.
 *
 * @param missing what the machine does not have, as a sentence without a full stop
 */
export function skipAloud(test: Mocha.Context, missing: string): never {
  console.warn(`      skipped: ${missing}`);
  noteReason(test.test?.file, missing);
  return test.skip();
}

/** `describe`, whose tests are skipped with a line if something is missing. */
export function describeIf(
  isThere: boolean,
  missing: string,
): (title: string, define: (this: Mocha.Suite) => void) => void {
  if (isThere) return describe;
  return (title, define) => {
    const suite = describe.skip(title, define);
    console.warn(`  ${title}: skipped: ${missing}`);
    if (suite) noteReason(suite.file, missing);
  };
}
