/** SQLite's historical limit of variables in a statement. */
const MAX_VARIABLES = 999;

/** @param columns variables that a statement has for each of the rows */
export async function inBatches<Row, Result>(
  rows: readonly Row[],
  columns: number,
  call: (some: readonly Row[]) => PromiseLike<Result>,
): Promise<readonly Result[]> {
  const size = Math.floor(MAX_VARIABLES / columns);
  const results: Result[] = [];
  for (let start = 0; start < rows.length; start += size) {
    results.push(await call(rows.slice(start, start + size)));
  }
  return results;
}
