import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { INPUT_FORMATS } from '../../src/domain/image/media-type.ts';
import { runCleanFuzz } from './clean/run-clean-fuzz.ts';
import { runCostOfRequests } from './cost-of-requests/run-cost-of-requests.ts';
import { runOpenApiFuzz } from './openapi/run-openapi-fuzz.ts';
import { runCostFuzz } from './run-cost-fuzz.ts';
import { runFuzz } from './run-fuzz.ts';

/**
 * npm run fuzz:bytes -- --requests 100000 --seed 1
 *
 * Needs the built service, and Linux. The same seed gives the same requests or files. `fuzz:openapi`, `fuzz:cost`, `fuzz:clean` and
 * `fuzz:requests` are the other runs; `--first 17 --files 1` repeats file 17 of a seed of `fuzz:cost`.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    requests: { type: 'string' },
    seed: { type: 'string' },
    files: { type: 'string' },
    first: { type: 'string', default: '0' },
    formats: { type: 'string', default: INPUT_FORMATS.join(',') },
    tolerance: { type: 'string', default: '1' },
    images: { type: 'string', default: '10000' },
    only: { type: 'string' },
  },
});
const seed = Number(values.seed ?? randomInt(2 ** 24));
const requests = Number(values.requests ?? (positionals[0] === 'requests' ? 300 : 100_000));
const files = Number(values.files ?? (positionals[0] === 'clean' ? 100_000 : 2000));
const start = performance.now();

const RUNS: Readonly<Record<string, () => Promise<{ readonly problems: readonly string[] }>>> = {
  bytes: () => runFuzz({ requests, seed, onProgress }),
  openapi: () => runOpenApiFuzz({ requests, seed, onProgress }),
  cost: () => {
    const formats = INPUT_FORMATS.filter((format) => values.formats.split(',').includes(format));
    const [first, tolerance] = [Number(values.first), Number(values.tolerance)];
    return runCostFuzz({ files, seed, first, formats, tolerance, onProgress });
  },
  clean: async () => {
    const reports = [];
    for (const format of INPUT_FORMATS) reports.push(await runCleanFuzz({ format, files, seed }));
    const counts = reports.map(({ clean }, at) => [INPUT_FORMATS[at], { clean }] as const);
    return { counts: Object.fromEntries(counts), problems: reports.flatMap(({ problems }) => problems) };
  },
  requests: () =>
    runCostOfRequests({ requests, images: Number(values.images), seed, only: values.only, onProgress }),
};

console.log(`--seed ${seed}`);
const run = RUNS[positionals[0] ?? ''];
if (run === undefined) throw new TypeError(`Which of ${Object.keys(RUNS).join(', ')}?`);
const { problems, ...report } = await run();
for (const [name, fact] of Object.entries(report)) {
  if (typeof fact === 'string') console.log(`\n${fact}\n`);
  else console.dir({ [name]: fact }, { depth: 4, maxArrayLength: 30 });
}
for (const problem of problems) console.log(`PROBLEM ${problem}`);
process.exitCode = problems.length === 0 ? 0 : 1;

function onProgress(done: number): void {
  const seconds = Math.round((performance.now() - start) / 1000);
  const all = positionals[0] === 'cost' ? files : requests;
  if (done % Math.ceil(all / 20) === 0) console.log(`  ${done} after ${seconds} s`);
}
