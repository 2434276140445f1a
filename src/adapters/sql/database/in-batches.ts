/** SQLite's historical limit of variables in a statement. */
const MAX_VARIABLES = 999;

/** @param columns variables that a statement has for each of the rows */
export async function inBatches<T>(
  rows: readonly T[],
  columns: number,
  write: (some: readonly T[]) => Promise<void>,
): Promise<void> {
  const size = Math.floor(MAX_VARIABLES / columns);
  for (let start = 0; start < rows.length; start += size) await write(rows.slice(start, start + size));
}
