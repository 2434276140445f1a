import DataLoader from 'dataloader';

const MAX_READ_SIZE = 64;

interface TurnReads<Key, Row> {
  /** Rows of these keys, each at most once, in no order. */
  readonly find: (keys: readonly Key[]) => Promise<readonly Row[]>;
  /** Equal of a key and of its row. */
  readonly keyOf: (key: Key) => number | string;
  readonly keyOfRow: (row: Row) => number | string;
}

/**
 * Reads of one turn of the event loop share one statement: the round trip costs more than finding a row. A row that is in demand is
 * read once a turn.
 */
export function readsOfOneTurn<Key, Row>({
  find,
  keyOf,
  keyOfRow,
}: TurnReads<Key, Row>): DataLoader<Key, Row | undefined> {
  return new DataLoader<Key, Row | undefined>(
    async (keys) => {
      const distinct = new Map(keys.map((key) => [keyOf(key), key]));
      const rows = await find([...distinct.values()]);
      const found = new Map(rows.map((row) => [keyOfRow(row), row]));
      return keys.map((key) => found.get(keyOf(key)));
    },
    { cache: false, maxBatchSize: MAX_READ_SIZE, batchScheduleFn: setImmediate },
  );
}
