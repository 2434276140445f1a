import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { type Figures, figuresOfRequests, figuresOfSources } from './figures.ts';
import { runRequests } from './run-requests.ts';
import { stationFaults } from './stations.ts';

/**
 * Prints what the house weighs, beside its goals. Exits with 1 if a goal is not met; with `--reached` only if a figure is worse
 * than the one that was reached. `--list TEXT` prints what the figures with this text in their names have counted,
 * `--functions REQUEST` what has run.
 */

interface Bounds {
  readonly goal?: number;
  readonly reached: number;
}

const { values: options } = parseArgs({
  options: { reached: { type: 'boolean' }, list: { type: 'string' }, functions: { type: 'string' } },
});
const bounds = JSON.parse(await readFile(new URL('goals.json', import.meta.url), 'utf8')) as Readonly<
  Record<string, Bounds>
>;

const requests = await runRequests();
const figures: Figures = { ...figuresOfSources(), ...figuresOfRequests(requests) };
const listed = options.functions === undefined ? options.list : `: ${options.functions}`;
print(['', 'now', '', 'reached', 'goal', '']);
for (const [name, { value, of, items }] of Object.entries(figures)) {
  const { goal, reached } = bounds[name] ?? { reached: 0 };
  const isMissed = goal !== undefined && value > goal;
  const isWorse = value > reached;
  if (options.reached === true ? isWorse : isMissed || isWorse) process.exitCode = 1;
  const remark = [isMissed ? 'MISSED' : '', isWorse ? 'WORSE' : ''].filter(Boolean).join(', ');
  print([
    name,
    String(value),
    of === undefined ? '' : `of ${of}`,
    String(reached),
    String(goal ?? ''),
    remark,
  ]);
  if (listed !== undefined && name.includes(listed)) for (const item of items ?? []) console.log(`  ${item}`);
}
for (const fault of stationFaults(requests)) {
  console.log(fault);
  process.exitCode = 1;
}

function print([
  name = '',
  value = '',
  of = '',
  reached = '',
  goal = '',
  remark = '',
]: readonly string[]): void {
  console.log(
    `${name.padEnd(40)} ${value.padStart(6)} ${of.padEnd(6)} ${reached.padStart(7)} ${goal.padStart(6)} ${remark}`.trimEnd(),
  );
}
