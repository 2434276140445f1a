import { clearRuns, savedRuns, saveRuns, wholesSkipped } from './skipped-files.ts';

/** For `mocha --require`: a run in which no test of a file or folder has run says so at its end. */
export const mochaHooks = {
  afterAll(this: Mocha.Context): void {
    if (this.test?.parent) saveRuns(this.test.parent);
  },
};

export function mochaGlobalSetup(): void {
  clearRuns();
}

export function mochaGlobalTeardown(): void {
  const lines = wholesSkipped(savedRuns());
  if (lines.length === 0) return;
  console.warn(['', '  Skipped as a whole:', ...lines.map((line) => `    ${line}`), ''].join('\n'));
}
