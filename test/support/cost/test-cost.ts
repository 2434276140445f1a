import { readFileSync } from 'node:fs';
import { SavedByProcesses } from '../saved-by-processes.ts';

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
  /** Of the known work after each file, in seconds of CPU. */
  readonly knownWork: readonly number[];
}

/** What a run of the tests used. */
export interface RunCosts extends ProcessCosts {
  /** For each process of the service or of its commands, the test that started it; empty if it was a hook before the first one. */
  readonly services: readonly string[];
  readonly decoders: readonly string[];
}

const saved = new SavedByProcesses<ProcessCosts>('test-cost');

/** Each line has the kind of a process that was started, and the test that did. */
export const STARTED_PROCESSES = `${saved.folder}started`;

export function clearCosts(): void {
  saved.clear();
}

/** Replaces those that this process has saved. */
export function saveCosts(costs: ProcessCosts): void {
  saved.save(costs);
}

/** Those of all processes of the last run. */
export function savedCosts(): RunCosts {
  const costs = saved.all();
  const started = startedProcesses();
  return {
    cpuSeconds: costs.reduce((total, { cpuSeconds }) => total + cpuSeconds, 0),
    files: costs.flatMap(({ files }) => files),
    tests: costs.flatMap(({ tests }) => tests),
    knownWork: costs.flatMap(({ knownWork }) => knownWork),
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
