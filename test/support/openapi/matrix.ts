import type { Description } from './described-api.ts';
import type { Hits } from './hits.ts';

export interface Matrix {
  /** For people: one line for each operation. */
  readonly text: string;
  /** Declared responses that no test has received, although they can be provoked at will. */
  readonly missing: readonly string[];
}

/** Contract, section 8: the other declared statuses can be provoked at will. */
const NOT_AT_WILL = [408, 500, 503];

export function matrixOf({ paths }: Description, hits: Hits): Matrix {
  const operations = Object.values(paths).flatMap((item) => Object.values(item));
  const rows = operations.map(({ operationId, responses }) => ({
    operationId,
    cells: Object.keys(responses)
      .map(Number)
      .map((status) => ({
        status,
        hits: hits[`${operationId} ${status}`] ?? 0,
      })),
  }));
  return {
    text: tableOf(rows),
    missing: rows.flatMap(({ operationId, cells }) =>
      cells
        .filter((cell) => cell.hits === 0 && !NOT_AT_WILL.includes(cell.status))
        .map(({ status }) => `${operationId} ${status}`),
    ),
  };
}

interface Row {
  readonly operationId: string;
  readonly cells: ReadonlyArray<{ readonly status: number; readonly hits: number }>;
}

function tableOf(rows: readonly Row[]): string {
  const statuses = [...new Set(rows.flatMap(({ cells }) => cells.map(({ status }) => status)))].sort(
    (a, b) => a - b,
  );
  const first = Math.max(...rows.map(({ operationId }) => operationId.length));
  const head = `${''.padEnd(first)}${statuses.map((status) => String(status).padStart(6)).join('')}`;
  const lines = rows.map(({ operationId, cells }) => {
    const hitsOf = (status: number): string =>
      String(cells.find((cell) => cell.status === status)?.hits ?? '');
    return `${operationId.padEnd(first)}${statuses.map((status) => hitsOf(status).padStart(6)).join('')}`;
  });
  return [head, ...lines].join('\n');
}
