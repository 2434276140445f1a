import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Writes figures as JSON, by default to `bench/results/<suite>-<time>.json`. */
export async function writeResults(suite: string, path: string | undefined, results: unknown): Promise<void> {
  const file = path ?? join(RESULTS, `${suite}-${new Date().toISOString().replaceAll(':', '-')}.json`);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, `${JSON.stringify(results, undefined, 2)}\n`);
  console.log(`\n${file}`);
}

const RESULTS = fileURLToPath(new URL('../results', import.meta.url));

/** A description of the machine on one line. */
export function lineOf(machine: Readonly<Record<string, string | number>>): string {
  return Object.entries(machine)
    .map((fact) => fact.join(' '))
    .join(', ');
}
