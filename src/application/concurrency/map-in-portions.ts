/** Items of 0.2 ms each hold the event loop for 10 ms. */
const PORTION = 50;

/** Maps the items of a portion together. Between portions, other work gets its turn of the event loop. Keeps the order. */
export async function mapInPortions<T, R>(
  items: readonly T[],
  map: (item: T) => R | Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = [];
  for (let start = 0; start < items.length; start += PORTION) {
    if (start > 0) await new Promise((resolve) => setImmediate(resolve));
    const portion = items.slice(start, start + PORTION);
    results.push(...(await Promise.all(portion.map((item) => map(item)))));
  }
  return results;
}
