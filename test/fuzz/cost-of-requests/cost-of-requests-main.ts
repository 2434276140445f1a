import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { costTable, longestTurns, longestWaits } from './cost-table.ts';
import { runCostOfRequests } from './run-cost-of-requests.ts';

const SHOWN = 10;

/**
 * npm run fuzz:requests -- --requests 1000 --seed 1 --images 100000 --only listImages
 *
 * The same seed gives the same requests.
 */
const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '300' },
    images: { type: 'string', default: '10000' },
    only: { type: 'string' },
    seed: { type: 'string' },
  },
});
const seed = Number(values.seed ?? randomInt(2 ** 24));
const requests = Number(values.requests);
const images = Number(values.images);

console.log(`${requests} requests over spaces of ${images} images, --seed ${seed}`);
let done = 0;
const { measured, violations, slowness } = await runCostOfRequests({
  requests,
  images,
  seed,
  only: values.only,
  onMeasured: () => {
    done += 1;
    if (done % Math.ceil(requests / 10) === 0) console.log(`  ${done} requests`);
  },
});
console.log(`\n${costTable(measured)}\n`);
console.log(`The longest turns of the loop:\n${longestTurns(measured, SHOWN)}\n`);
console.log(`The longest waits of others:\n${longestWaits(measured, SHOWN)}\n`);
console.log(`slowness of this machine: ${slowness.toFixed(2)}, violations: ${violations.length}`);
for (const violation of violations) console.log(`VIOLATION ${violation}`);
process.exitCode = violations.length === 0 ? 0 : 1;
