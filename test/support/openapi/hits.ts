import { SavedByProcesses } from '../saved-by-processes.ts';

/** How often the tests received each declared response: `operationId status` → count. */
export type Hits = Readonly<Record<string, number>>;

const saved = new SavedByProcesses<Hits>('openapi-hits');

const counts = new Map<string, number>();

export function countHit(operationId: string, status: number): void {
  const key = `${operationId} ${status}`;
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

export function clearHits(): void {
  saved.clear();
}

/** Saves those of this process. */
export function saveHits(): void {
  saved.save(Object.fromEntries(counts));
}

/** Those of all processes. */
export function savedHits(): Hits {
  const total: Record<string, number> = {};
  for (const some of saved.all()) {
    for (const [key, count] of Object.entries(some)) total[key] = (total[key] ?? 0) + count;
  }
  return total;
}
