import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** What a process has run of a file. */
interface FileRun {
  readonly file: string;
  /** Tests. */
  readonly ran: number;
  readonly skipped: number;
  readonly reasons: readonly string[];
}

const PROJECT = fileURLToPath(new URL('../../..', import.meta.url));
/** One file for each process of the tests. */
const FOLDER = `${PROJECT}node_modules/.cache/skipped-tests/`;

const reasons = new Map<string, Set<string>>();
const runs: FileRun[] = [];

export function noteReason(file: string | undefined, reason: string): void {
  const known = reasons.get(file ?? '') ?? new Set();
  reasons.set(file ?? '', known.add(reason));
}

export function clearRuns(): void {
  rmSync(FOLDER, { recursive: true, force: true });
}

/** Writes those of this process. */
export function saveRuns(root: Mocha.Suite): void {
  const byFile = new Map<string, Mocha.Test[]>();
  root.eachTest((test) => {
    byFile.set(test.file ?? '', [...(byFile.get(test.file ?? '') ?? []), test]);
  });
  for (const [file, tests] of byFile) {
    const ran = tests.filter(({ state }) => state !== undefined).length;
    const skipped = tests.filter((test) => test.isPending()).length;
    runs.push({ file: relative(PROJECT, file), ran, skipped, reasons: [...(reasons.get(file) ?? [])] });
  }
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(`${FOLDER}${process.pid}.json`, JSON.stringify(runs));
}

/** Those of all processes. */
export function savedRuns(): readonly FileRun[] {
  return readdirSync(FOLDER).flatMap(
    (name) => JSON.parse(readFileSync(`${FOLDER}${name}`, 'utf8')) as readonly FileRun[],
  );
}

/** A line for each reason, with the files and folders of which no test has run. Empty if there are none. */
export function wholesSkipped(all: readonly FileRun[]): readonly string[] {
  const without = all.filter(({ ran, skipped }) => ran === 0 && skipped > 0);
  const partly = new Set(all.filter(({ ran }) => ran > 0).map(({ file }) => dirname(file)));
  const byReason = new Map<string, Set<string>>();
  for (const { file, reasons: known } of without) {
    const reason = known.length === 0 ? 'no reason was given' : known.join('; ');
    const whole = partly.has(dirname(file)) ? file : `all of ${dirname(file)}`;
    byReason.set(reason, (byReason.get(reason) ?? new Set()).add(whole));
  }
  return [...byReason].map(([reason, names]) => `${reason}: ${[...names].toSorted().join(', ')}`);
}
