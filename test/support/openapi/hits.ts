import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** How often the tests received each declared response: `operationId status` → count. */
export type Hits = Readonly<Record<string, number>>;

/** One file for each process of the tests. */
const FOLDER = fileURLToPath(new URL('../../../node_modules/.cache/openapi-hits/', import.meta.url));

const counts = new Map<string, number>();

export function countHit(operationId: string, status: number): void {
  const key = `${operationId} ${status}`;
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

export function clearHits(): void {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
}

/** Writes those of this process. */
export function saveHits(): void {
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(`${FOLDER}${process.pid}.json`, JSON.stringify(Object.fromEntries(counts)));
}

/** Those of all processes. */
export function savedHits(): Hits {
  const total: Record<string, number> = {};
  for (const name of readdirSync(FOLDER)) {
    const some = JSON.parse(readFileSync(`${FOLDER}${name}`, 'utf8')) as Hits;
    for (const [key, count] of Object.entries(some)) total[key] = (total[key] ?? 0) + count;
  }
  return total;
}
