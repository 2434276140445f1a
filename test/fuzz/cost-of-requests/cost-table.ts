import type { MeasuredRequest } from './run-cost-of-requests.ts';

type Column = Extract<
  keyof MeasuredRequest,
  | 'cpuMs'
  | 'loopCpuMs'
  | 'longestTurnMs'
  | 'statements'
  | 'boundValues'
  | 'rows'
  | 'bytesLogged'
  | 'longestWaitMs'
>;

const COLUMNS: Readonly<Record<Column, string>> = {
  cpuMs: 'CPU ms',
  loopCpuMs: 'loop ms',
  longestTurnMs: 'turn ms',
  statements: 'statements',
  boundValues: 'values',
  rows: 'rows',
  bytesLogged: 'logged',
  longestWaitMs: 'others ms',
};

const NAMES = Object.keys(COLUMNS) as readonly Column[];

/** Of each operation the highest figures, and the request with the most CPU: in Markdown, the dearest operation first. */
export function costTable(measured: readonly MeasuredRequest[]): string {
  const operations = [...new Set(measured.map(({ operationId }) => operationId))].map((operationId) => {
    const of = measured.filter((one) => one.operationId === operationId);
    return {
      operationId,
      highest: NAMES.map((name) => Math.max(...of.map((one) => one[name]))),
      dearest: of.reduce((most, one) => (one.cpuMs > most.cpuMs ? one : most)),
      statuses: [...new Set(of.map(({ status }) => status))].toSorted((a, b) => a - b),
    };
  });
  const rows = operations
    .toSorted((a, b) => b.dearest.cpuMs - a.dearest.cpuMs)
    .map(({ operationId, highest, dearest, statuses }) =>
      rowOf([operationId, ...highest.map((figure) => figure.toFixed(0)), statuses.join(' '), dearest.what]),
    );
  const titles = ['operation', ...Object.values(COLUMNS), 'statuses', 'most CPU'];
  return [rowOf(titles), rowOf(titles.map(() => '---')), ...rows].join('\n');
}

/** Those with the longest turns, each on a line. */
export function longestTurns(measured: readonly MeasuredRequest[], count: number): string {
  return measured
    .toSorted((a, b) => b.longestTurnMs - a.longestTurnMs)
    .slice(0, count)
    .map(lineOf)
    .join('\n');
}

/** Those for which others waited longest, each on a line. */
export function longestWaits(measured: readonly MeasuredRequest[], count: number): string {
  return measured
    .toSorted((a, b) => b.longestWaitMs - a.longestWaitMs)
    .slice(0, count)
    .map(lineOf)
    .join('\n');
}

function lineOf({ operationId, what, status, ...figures }: MeasuredRequest): string {
  const facts = NAMES.map((name) => `${COLUMNS[name]} ${figures[name].toFixed(0)}`);
  return `${operationId} ${status}, ${what}: ${facts.join(', ')}`;
}

function rowOf(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}
