import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { runOpenApiFuzz } from './openapi/run-openapi-fuzz.ts';

/**
 * npm run fuzz:openapi -- --requests 100000 --seed 1
 *
 * Needs the built service. The same seed gives the same requests.
 */
const { values } = parseArgs({
  options: { requests: { type: 'string', default: '100000' }, seed: { type: 'string' } },
});
const requests = Number(values.requests);
const seed = Number(values.seed ?? randomInt(2 ** 24));

console.log(`${requests} requests, --seed ${seed}`);
const start = performance.now();
const report = await runOpenApiFuzz({
  requests,
  seed,
  onProgress: (done) => {
    if (done % Math.ceil(requests / 10) === 0) console.log(`  ${done} after ${secondsSince(start)} s`);
  },
});

console.log(`\nResponses by operation and declared status:\n\n${report.matrix}\n`);
const mutations = [...report.mutations].toSorted(([, a], [, b]) => b - a);
console.log(`mutations: ${mutations.map(([mutation, count]) => `${mutation} × ${count}`).join(', ')}`);
const { failures, errorsLogged, orphans } = report;
console.log(
  `${secondsSince(start)} s, failures: ${failures.length}, errors logged: ${errorsLogged.length}, orphans: ${orphans.length}`,
);
for (const failure of failures) console.log(`FAILURE ${failure}`);
for (const error of errorsLogged.slice(0, 5)) console.log(`LOGGED ${JSON.stringify(error)}`);
process.exitCode = failures.length + errorsLogged.length + orphans.length === 0 ? 0 : 1;

function secondsSince(time: number): number {
  return Math.round((performance.now() - time) / 1000);
}
