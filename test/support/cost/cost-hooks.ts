import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import './started-processes.cjs';
import { cpuOfThisTree } from './cpu-of-this-tree.ts';
import { knownWork } from './known-work.ts';
import { clearCosts, type NamedCost, STARTED_PROCESSES, saveCosts } from './test-cost.ts';

process.env.STARTED_PROCESSES = STARTED_PROCESSES;
process.env.COUNT_PROCESSES = `--require ${fileURLToPath(new URL('started-processes.cjs', import.meta.url))}`;

const files: NamedCost[] = [];
const tests: NamedCost[] = [];
const known: number[] = [];
/** CPU of this process when the last file and the last test ended. */
let atFile = 0;
let atTest = 0;

/** For `mocha --require`: each process of a run saves what its files and tests use. */
export const mochaHooks = {
  beforeAll(): void {
    atTest = cpuOfThisTree();
  },
  beforeEach(this: Mocha.Context): void {
    process.env.CURRENT_TEST = this.currentTest?.fullTitle();
  },
  /** The hooks of a test, and those of its suite before it, count for it. */
  afterEach(this: Mocha.Context): void {
    const now = cpuOfThisTree();
    tests.push({ name: this.currentTest?.fullTitle() ?? '', cpuSeconds: now - atTest });
    atTest = now;
  },
  /** Runs for each file in parallel runs, and once for all others. Loading counts for the file. */
  afterAll(this: Mocha.Context): void {
    const now = cpuOfThisTree();
    const path = this.test?.parent?.suites[0]?.file ?? '';
    files.push({ name: relative(process.cwd(), path), cpuSeconds: now - atFile });
    known.push(knownWork());
    atFile = cpuOfThisTree();
    saveCosts({ cpuSeconds: atFile, files, tests, knownWork: known });
  },
};

export function mochaGlobalSetup(): void {
  clearCosts();
}

/** Saves what the process used that distributes the files of a parallel run. */
export function mochaGlobalTeardown(): void {
  const { user, system } = process.cpuUsage();
  if (files.length === 0) saveCosts({ cpuSeconds: (user + system) / 1e6, files, tests, knownWork: known });
}
