/** The tables that `transfer` copies row by row, in this order. */
export const COPIED_TABLES = [
  'spaces',
  'idempotency_keys',
  'names',
  'forgotten_names',
  'link_keys',
  'changes',
  'change_actors',
  'webhook_endpoints',
] as const;

export type CopiedTable = (typeof COPIED_TABLES)[number];

/** Known to the adapter alone. Catalogs on all engines have the same. */
export type CopiedRow = Readonly<Record<string, unknown>>;

/** Every method throws `StorageUnavailable`. */
export interface CopiedTables {
  /**
   * In an order that does not change: of spaces those that have limits of their own, of keys those that are completed.
   *
   * @param after the last row of the page before
   */
  readRows(table: CopiedTable, after: CopiedRow | undefined, limit: number): Promise<readonly CopiedRow[]>;

  /**
   * Records the rows, or replaces rows of the same names. When it resolves, they survive a power cut. A name of an image that is not in
   * its space is gone. A start of the feed ends what was before it.
   *
   * @param isFirst removes all others in the same transaction; of spaces, their limits
   */
  writeRows(table: CopiedTable, rows: readonly CopiedRow[], isFirst: boolean): Promise<void>;
}
