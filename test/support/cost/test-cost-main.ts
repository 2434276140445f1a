import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type NamedCost, savedCosts } from './test-cost.ts';

/**
 * npm run test:cost [-- --check | --ci SECONDS]
 *
 * Prints the CPU of the last run of the tests, its dearest files and tests, and the processes that it started; with `--ci`, only the
 * CPU of all checks, which the caller has measured. Fails above a
 * budget of test/budget.json, which is for a machine that needs its `knownWorkSeconds` for the known work: a slower one may use
 * more in proportion.
 */
const { values } = parseArgs({ options: { check: { type: 'boolean' }, ci: { type: 'string' } } });

interface Budget {
  readonly cpuSeconds: number;
  readonly services: number;
  readonly decoders: number;
}

interface Budgets {
  readonly knownWorkSeconds: number;
  readonly 'npm test': Budget;
  readonly '.ci/run': Pick<Budget, 'cpuSeconds'>;
}

const SHOWN = 20;
const costs = savedCosts();

const budgets = JSON.parse(readFileSync('test/budget.json', 'utf8')) as Budgets;
const knownWork = costs.knownWork.reduce((total, seconds) => total + seconds, 0) / costs.knownWork.length;
const slowness = Math.max(1, knownWork / budgets.knownWorkSeconds);
console.log(
  `${(knownWork * 1000).toFixed(1)} ms for the known work: the machine was ${slowness.toFixed(2)} times as slow as that of the budget`,
);
if (values.ci !== undefined) checkAll(Number(values.ci), budgets['.ci/run'].cpuSeconds);
else printCosts();
if (values.check === true) check(budgets['npm test']);

function printCosts(): void {
  print('folders', byFolder(costs.files));
  print('dearest files', costs.files);
  print('dearest tests', costs.tests);
  console.log(
    `\n${costs.tests.length} tests: ${costs.cpuSeconds.toFixed(0)} s of CPU, ` +
      `${costs.services.length} processes of the service or a command, ${costs.decoders.length} decoders`,
  );
}

function checkAll(cpuSeconds: number, limit: number): void {
  console.log(`CPU of the checks: ${cpuSeconds} s, ${limit} s at most on a machine of that speed`);
  if (cpuSeconds / slowness <= limit) return;
  console.error('The checks are above their budget');
  process.exitCode = 1;
}

function check(budget: Budget): void {
  const { cpuSeconds, services, decoders } = costs;
  const used = {
    cpuSeconds: Math.round(cpuSeconds / slowness),
    services: services.length,
    decoders: decoders.length,
  };
  for (const key of ['cpuSeconds', 'services', 'decoders'] as const) {
    if (used[key] <= budget[key]) continue;
    console.error(`${key} is ${used[key]}, above the budget of ${budget[key]}`);
    if (key !== 'cpuSeconds') for (const test of costs[key]) console.error(`  ${test}`);
    // A decoder that has kept memory is renewed, which depends on the order of the tests: some more are reported alone.
    if (key !== 'decoders' || used[key] > 2 * budget[key]) process.exitCode = 1;
  }
}

function print(title: string, some: readonly NamedCost[]): void {
  console.log(`\n${title}, seconds of CPU`);
  const dearest = some.toSorted((a, b) => b.cpuSeconds - a.cpuSeconds).slice(0, SHOWN);
  for (const { name, cpuSeconds } of dearest) console.log(`${cpuSeconds.toFixed(1).padStart(7)}  ${name}`);
}

function byFolder(files: readonly NamedCost[]): readonly NamedCost[] {
  const total = new Map<string, number>();
  for (const { name, cpuSeconds } of files) {
    const folder = name.split('/').slice(0, 2).join('/');
    total.set(folder, (total.get(folder) ?? 0) + cpuSeconds);
  }
  return [...total].map(([name, cpuSeconds]) => ({ name, cpuSeconds }));
}
