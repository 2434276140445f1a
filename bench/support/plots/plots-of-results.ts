import { isMet } from '../scenario.ts';
import { linearAxis, logAxis } from './axis.ts';
import type { Dot, DotPlot, Row } from './dot-plot.ts';
import type { CheckResult, Results } from './results-schema.ts';

type Ratio = 'throughputRatio' | 'cpuRatio';

const CLIENTS = [1, 8, 32];
const SIZES = [1_000, 100_000, 1_000_000];
const THROUGHPUT = { title: 'Throughput', unit: 'throughput to that of the baseline; more is better' };
const CPU = { title: 'CPU per request', unit: 'CPU per request to that of the baseline; less is better' };
const SIGNS = { 'at least': '≥', 'at most': '≤', exactly: '=' } as const;

/** How far each figure is from its target. */
export function targetsPlot(results: readonly Results[]): DotPlot {
  const checks = results.flatMap(({ outcomes }) => outcomes.flatMap((outcome) => outcome.checks));
  const rows = checks.map(targetRow);
  return {
    title: 'Targets',
    unit: 'times as good as the target; left of 1 it is missed',
    axis: logAxis(valuesOf(rows)),
    reference: 1,
    series: ['met', 'missed'],
    colours: 'kinds',
    rows,
  };
}

function targetRow(check: CheckResult): Row {
  const { what, measured, bound, target, unit } = check;
  const value = bound === 'at least' ? measured / target : target / measured;
  return {
    label: what,
    dots: [{ series: isMet(check) ? 0 : 1, value, range: value < 1 ? [value, 1] : [1, value] }],
    note: `${Number(measured.toFixed(2))}, target ${SIGNS[bound]} ${target} ${unit}`.trim(),
  };
}

function comparisonRows(outcomes: Results['outcomes'], ratio: Ratio): readonly Row[] {
  const dotsOf = new Map<string, Dot[]>();
  for (const comparison of outcomes.flatMap(({ comparisons }) => comparisons)) {
    const { median, min, max } = comparison[ratio];
    const dots = dotsOf.get(comparison.title) ?? [];
    dots.push({ series: CLIENTS.indexOf(comparison.concurrency), value: median, range: [min, max] });
    dotsOf.set(comparison.title, dots);
  }
  return [...dotsOf].map(([label, dots]) => ({ label, dots }));
}

/** Throughput or CPU to the baseline's, by number of clients. */
export function comparisonPlot({ outcomes }: Results, ratio: Ratio): DotPlot {
  const rows = comparisonRows(outcomes, ratio);
  return {
    ...(ratio === 'throughputRatio' ? THROUGHPUT : CPU),
    axis: (ratio === 'throughputRatio' ? linearAxis : logAxis)(valuesOf(rows)),
    reference: 1,
    series: CLIENTS.map((clients) => (clients === 1 ? '1 client' : `${clients} clients`)),
    colours: 'steps',
    rows,
  };
}

/** CPU per request at each size of the catalog. */
export function growthPlot({ outcomes }: Results): DotPlot {
  const measured = outcomes.filter(({ figures }) => figures.length > 0);
  const sizes = SIZES.filter((size) =>
    measured.some(({ figures }) => figures.some((figure) => figure.size === size)),
  );
  const rows = measured.map(({ name, figures }) => ({
    label: name,
    dots: figures.map(({ size, cpuMsPerRequest }) => ({
      series: sizes.indexOf(size),
      value: cpuMsPerRequest,
    })),
  }));
  return {
    title: 'CPU per request as the catalog grows',
    unit: 'ms of CPU',
    axis: logAxis(valuesOf(rows)),
    series: sizes.map((size) => `${size.toLocaleString('en')} records`),
    colours: 'steps',
    rows,
  };
}

function valuesOf(rows: readonly Row[]): readonly number[] {
  return rows.flatMap(({ dots }) => dots.flatMap(({ value, range = [] }) => [value, ...range]));
}
