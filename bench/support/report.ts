import type { Comparison, Side } from './compare.ts';
import { type Check, isMet, type NamedOutcome, type Note } from './scenario.ts';
import type { Spread } from './statistics.ts';

/** An outcome as text: the rows of the comparisons, then the single figures. */
export function reportOf({ name, invalid, comparisons = [], checks = [], notes = [] }: NamedOutcome): string {
  if (invalid !== undefined) return `INVALID ${name}: ${invalid}`;
  return [...comparisons.flatMap(rowsOf), ...checks.map(checkLine), ...notes.map(noteLine)].join('\n');
}

export const TABLE_HEAD = row(
  'scenario',
  'side',
  'req/s (min–max)',
  'ratio',
  'CPU ms/req',
  'CPU ratio',
  'peak RSS',
  'p50/p99 ms',
);

function rowsOf(comparison: Comparison): readonly string[] {
  const { title, concurrency, service, baseline, throughputRatio, cpuRatio } = comparison;
  return [
    sideRow(`${title} c=${concurrency}`, 'service', service, spread(throughputRatio, 2), spread(cpuRatio, 2)),
    sideRow('', 'baseline', baseline, '', ''),
  ];
}

function sideRow(title: string, side: string, figures: Side, ratio: string, cpuRatio: string): string {
  const { requestsPerSecond, cpuMsPerRequest, peakRssBytes, p50Ms, p99Ms } = figures;
  return row(
    title,
    side,
    spread(requestsPerSecond, requestsPerSecond.median < 100 ? 1 : 0),
    ratio,
    cpuMsPerRequest.median.toFixed(3),
    cpuRatio,
    `${Math.round(peakRssBytes / 2 ** 20)} MB`,
    `${p50Ms.toFixed(1)}/${p99Ms.toFixed(1)}`,
  );
}

function row(...cells: readonly string[]): string {
  const widths = [28, 9, 22, 17, 11, 17, 9, 14];
  return cells
    .map((cell, column) => cell.padEnd(widths[column] ?? 0))
    .join(' ')
    .trimEnd();
}

function spread({ median, min, max }: Spread, digits: number): string {
  return `${median.toFixed(digits)} (${min.toFixed(digits)}–${max.toFixed(digits)})`;
}

function checkLine(check: Check): string {
  const { what, measured, bound, target, unit = '' } = check;
  const sign = { 'at least': '≥', 'at most': '≤', exactly: '=' }[bound];
  const figure = `${measured.toFixed(2)} ${unit}`.trim();
  return `${isMet(check) ? 'met   ' : 'MISSED'} ${what}: ${figure} (target ${sign} ${`${target} ${unit}`.trim()})`;
}

function noteLine({ what, measured, unit }: Note): string {
  return `       ${what}: ${measured.toFixed(2)} ${unit}`;
}
