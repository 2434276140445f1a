import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Writes figures as JSON, by default into `bench/results`. */
export async function writeResults(name: string, path: string | undefined, results: unknown): Promise<void> {
  const file = path ?? join(RESULTS, `${name}-${new Date().toISOString().replaceAll(':', '-')}.json`);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, `${JSON.stringify(results, undefined, 2)}\n`);
  console.log(`\n${file}`);
}

const RESULTS = fileURLToPath(new URL('../results', import.meta.url));

/** The machine's description on one line. */
export function lineOf(machine: Readonly<Record<string, string | number>>): string {
  return Object.entries(machine)
    .map((fact) => fact.join(' '))
    .join(', ');
}
