/** Keeps the order of the items. After an error it begins no other item, and rejects when those under way have ended. */
export async function mapConcurrently<T, R>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = [];
  // All workers take from one iterator. Leaving the loop with an error closes it for the others.
  const remaining = entriesOf(items);
  const worker = async (): Promise<void> => {
    for (const [index, item] of remaining) results[index] = await work(item);
  };
  const outcomes = await Promise.allSettled(Array.from({ length: limit }, worker));
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  return results;
}

/** The iterator of an array cannot be closed. */
function* entriesOf<T>(items: readonly T[]): Generator<readonly [number, T], void, undefined> {
  yield* items.entries();
}
