import { dirname, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SavedByProcesses } from '../saved-by-processes.ts';

/** What a process has run of a file. */
export interface FileRun {
  readonly file: string;
  /** Tests. */
  readonly ran: number;
  readonly skipped: number;
  readonly reasons: readonly string[];
}

const PROJECT = fileURLToPath(new URL('../../..', import.meta.url));
const saved = new SavedByProcesses<readonly FileRun[]>('skipped-tests');

const reasons = new Map<string, Set<string>>();
const runsHere: FileRun[] = [];

export function noteReason(file: string | undefined, reason: string): void {
  const known = reasons.get(file ?? '') ?? new Set();
  reasons.set(file ?? '', known.add(reason));
}

export function clearRuns(): void {
  saved.clear();
}

/** Saves those of this process. */
export function saveRuns(root: Mocha.Suite): void {
  const byFile = new Map<string, Mocha.Test[]>();
  root.eachTest((test) => {
    byFile.set(test.file ?? '', [...(byFile.get(test.file ?? '') ?? []), test]);
  });
  for (const [file, tests] of byFile) {
    const ran = tests.filter(({ state }) => state === 'passed' || state === 'failed').length;
    const skipped = tests.filter((test) => test.isPending()).length;
    runsHere.push({ file: relative(PROJECT, file), ran, skipped, reasons: [...(reasons.get(file) ?? [])] });
  }
  saved.save(runsHere);
}

/** Those of all processes. */
export function savedRuns(): readonly FileRun[] {
  return saved.all().flat();
}

const MAX_NAMES = 3;

/** A line for each reason and folder, with the files of which no test has run. Empty if there are none. */
export function wholesSkipped(all: readonly FileRun[]): readonly string[] {
  const whole = new Map<string, string[]>();
  for (const { file, ran, skipped, reasons: known } of all) {
    if (ran > 0 || skipped === 0) continue;
    const key = JSON.stringify([known.join('; '), dirname(file)]);
    whole.set(key, [...(whole.get(key) ?? []), file]);
  }
  return [...whole].map(([key, files]) => {
    const [reason, folder] = JSON.parse(key) as readonly [string, string];
    const count = all.filter(({ file }) => dirname(file) === folder).length;
    const names =
      files.length > MAX_NAMES ? `${files.length} of ${count} files of ${folder}` : files.join(', ');
    return `${reason}: ${names}`;
  });
}
