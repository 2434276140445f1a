/** Rows written per statement: with 11 columns or fewer, below SQLite's historical limit of 999 variables. */
const ROWS_PER_STATEMENT = 90;

/** Runs a statement for as many items at a time as one may have, in their order. */
export async function inBatches<T>(
  items: readonly T[],
  write: (some: readonly T[]) => Promise<void>,
): Promise<void> {
  for (let start = 0; start < items.length; start += ROWS_PER_STATEMENT) {
    await write(items.slice(start, start + ROWS_PER_STATEMENT));
  }
}
