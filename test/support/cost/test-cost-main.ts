import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type NamedCost, savedCosts } from './test-cost.ts';

/**
 * npm run test:cost [-- --check npm-test]
 *
 * Prints the CPU of the last run of the tests, its dearest files and tests, and the processes that it started. Fails above a
 * budget of test/budget.json.
 */
const { values } = parseArgs({ options: { check: { type: 'string' } } });

interface Budget {
  readonly cpuSeconds: number;
  readonly services: number;
  readonly decoders: number;
}

const SHOWN = 20;
const costs = savedCosts();

print('folders', byFolder(costs.files));
print('dearest files', costs.files);
print('dearest tests', costs.tests);
console.log(
  `\n${costs.tests.length} tests: ${costs.cpuSeconds.toFixed(0)} s of CPU, ` +
    `${costs.services.length} processes of the service or a command, ${costs.decoders.length} decoders`,
);
if (values.check !== undefined) check(values.check);

function check(name: string): void {
  const budgets = JSON.parse(readFileSync('test/budget.json', 'utf8')) as Readonly<Record<string, Budget>>;
  const budget = budgets[name];
  if (budget === undefined) throw new TypeError(`test/budget.json has no ${name}`);
  const { cpuSeconds, services, decoders } = costs;
  const used = { cpuSeconds: Math.round(cpuSeconds), services: services.length, decoders: decoders.length };
  for (const key of ['cpuSeconds', 'services', 'decoders'] as const) {
    if (used[key] <= budget[key]) continue;
    console.error(`${key} is ${used[key]}, above the budget of ${budget[key]}`);
    if (key !== 'cpuSeconds') for (const test of costs[key]) console.error(`  ${test}`);
    // A decoder that has kept memory is renewed, which depends on the order of the tests.
    if (key !== 'decoders') process.exitCode = 1;
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
