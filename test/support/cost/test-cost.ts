import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** CPU in seconds of something that has a name. */
export interface NamedCost {
  readonly name: string;
  readonly cpuSeconds: number;
}

/** What one process of the tests and its descendants used. */
export interface ProcessCosts {
  readonly cpuSeconds: number;
  readonly files: readonly NamedCost[];
  readonly tests: readonly NamedCost[];
}

/** What a run of the tests used. */
export interface RunCosts extends ProcessCosts {
  /** For each process of the service or of its commands, the test that started it; empty if it was a hook before the first one. */
  readonly services: readonly string[];
  readonly decoders: readonly string[];
}

const FOLDER = fileURLToPath(new URL('../../../node_modules/.cache/test-cost/', import.meta.url));

/** Each line has the kind of a process that was started, and the test that did. */
export const STARTED_PROCESSES = `${FOLDER}started`;

export function clearCosts(): void {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
}

/** Replaces those that this process has saved. */
export function saveCosts(costs: ProcessCosts): void {
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(`${FOLDER}${process.pid}.json`, JSON.stringify(costs));
}

/** Those of all processes of the last run. */
export function savedCosts(): RunCosts {
  const saved = readdirSync(FOLDER)
    .filter((name) => name.endsWith('.json'))
    .map((name) => JSON.parse(readFileSync(FOLDER + name, 'utf8')) as ProcessCosts);
  const started = startedProcesses();
  return {
    cpuSeconds: saved.reduce((total, { cpuSeconds }) => total + cpuSeconds, 0),
    files: saved.flatMap(({ files }) => files),
    tests: saved.flatMap(({ tests }) => tests),
    services: started.flatMap(([kind, test]) => (kind === 'service' ? [test ?? ''] : [])),
    decoders: started.flatMap(([kind, test]) => (kind === 'decoder' ? [test ?? ''] : [])),
  };
}

function startedProcesses(): ReadonlyArray<readonly string[]> {
  try {
    return readFileSync(STARTED_PROCESSES, 'utf8')
      .split('\n')
      .map((line) => line.split('\t'));
  } catch {
    return [];
  }
}
