import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { type CostFuzzReport, type Costly, FUZZED_FORMATS, runCostFuzz } from './run-cost-fuzz.ts';

/**
 * npm run fuzz:cost -- --files 2000 --seed 1
 *
 * Needs the built service and Linux. The same seed gives the same files; `--first 17 --files 1` repeats file 17 of a seed.
 * `--formats webp,gif` leaves out the others of `jpeg+png,webp,gif`.
 */
const { values } = parseArgs({
  options: {
    files: { type: 'string', default: '2000' },
    first: { type: 'string', default: '0' },
    seed: { type: 'string' },
    formats: { type: 'string', default: FUZZED_FORMATS.join(',') },
    tolerance: { type: 'string', default: '1' },
  },
});
const files = Number(values.files);
const seed = Number(values.seed ?? randomInt(2 ** 24));

console.log(`${files} files, --seed ${seed}`);
const start = performance.now();
const report = await runCostFuzz({
  files,
  seed,
  first: Number(values.first),
  formats: FUZZED_FORMATS.filter((format) => values.formats.split(',').includes(format)),
  tolerance: Number(values.tolerance),
  onProgress: showProgress,
  onViolation: (violation) => console.log(`VIOLATION ${violation}`),
});
print(report);
process.exitCode = report.violations.length === 0 ? 0 : 1;

function showProgress(done: number): void {
  if (done % Math.ceil(files / 20) !== 0) return;
  console.log(`  ${done} after ${Math.round((performance.now() - start) / 1000)} s`);
}

function print({ outcomes, violations, costliest, slowestNeighbourMs }: CostFuzzReport): void {
  const counts = [...outcomes].toSorted(([a], [b]) => a.localeCompare(b));
  console.log(counts.map(([outcome, count]) => `${outcome} × ${count}`).join(', '));
  console.log('The most CPU, compared with its bound:');
  for (const request of costliest.cpu) console.log(`  ${described(request)}`);
  console.log('The most memory, compared with its bound:');
  for (const request of costliest.memory) console.log(`  ${described(request)}`);
  console.log(`The slowest upload beside them: ${slowestNeighbourMs.toFixed(0)} ms`);
  console.log(`${violations.length} violations`);
}

function described({ ratio, what }: Costly): string {
  return `${ratio.toFixed(2)} ${what}`;
}
