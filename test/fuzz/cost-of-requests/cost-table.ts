import type { Figures } from './measured-service.ts';

export interface MeasuredRequest extends Figures {
  readonly operationId: string;
  /** With the kind of its texts. */
  readonly what: string;
  readonly status: number;
  /** Of those of another subject, which are sent at the same time. */
  readonly longestWaitMs: number;
}

type Column = 'cpuMs' | 'loopCpuMs' | 'longestTurnMs' | 'bytesLogged' | 'longestWaitMs';

const COLUMNS: Readonly<Record<Column, string>> = {
  cpuMs: 'CPU ms',
  loopCpuMs: 'loop ms',
  longestTurnMs: 'turn ms',
  bytesLogged: 'logged',
  longestWaitMs: 'others ms',
};

const SHOWN = 10;
const NAMES = Object.keys(COLUMNS) as readonly Column[];

export function summaryOf(measured: readonly MeasuredRequest[]): string {
  return [
    costTable(measured),
    `The longest turns of the loop:\n${highest('longestTurnMs', measured)}`,
    `The longest waits of others:\n${highest('longestWaitMs', measured)}`,
  ].join('\n\n');
}

/** Of each operation the highest figures, and the request with the most CPU: in Markdown, the dearest operation first. */
function costTable(measured: readonly MeasuredRequest[]): string {
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

/** Those with the highest figures of a column, each on a line. */
function highest(column: Column, measured: readonly MeasuredRequest[]): string {
  const sorted = measured.toSorted((a, b) => b[column] - a[column]);
  return sorted.slice(0, SHOWN).map(lineOf).join('\n');
}

function lineOf({ operationId, what, status, ...figures }: MeasuredRequest): string {
  const facts = NAMES.map((name) => `${COLUMNS[name]} ${figures[name].toFixed(0)}`);
  return `${operationId} ${status}, ${what}: ${facts.join(', ')}`;
}

function rowOf(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}
