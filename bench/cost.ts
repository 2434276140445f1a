import { COSTLY_FILES } from '../test/support/costly-files.ts';
import { type DecodeStorm, decodeStorm } from '../test/support/decode-storm.ts';
import { type Cost, costOf } from '../test/support/process-cost.ts';
import { RunningCatalog } from '../test/support/running-catalog.ts';
import { describeMachine } from './support/machine.ts';
import { lineOf } from './support/results.ts';

/** What files cost that are small and expensive to decode: `node --import tsx bench/cost.ts`. COST_DIR may name others. */
const MB = 1e6;

console.log(`${lineOf(describeMachine())}\n`);
for (const { file, expect, maxCpuSeconds, maxGrowthMb, read } of COSTLY_FILES) {
  const bytes = new Uint8Array(read());
  const { result, cost } = await withCatalog(async (catalog) => {
    return await costOf(catalog.process.pid, async () => (await catalog.client().upload(bytes, file)).status);
  });
  const bounds = `${expect}, at most ${maxCpuSeconds} s and ${maxGrowthMb} MB`;
  console.log(`${file}: ${result}, ${described(cost)} (${bounds})`);
}
const storm: DecodeStorm = await withCatalog(decodeStorm);
for (const work of ['uploads', 'renditions'] as const)
  console.log(
    `eight ${work} of 50 MP at once: ${JSON.stringify(storm[work].statuses)}, ${described(storm[work])}`,
  );

async function withCatalog<T>(work: (catalog: RunningCatalog) => Promise<T>): Promise<T> {
  const catalog = await RunningCatalog.start();
  try {
    return await work(catalog);
  } finally {
    await catalog.stop();
  }
}

function described({ cpuSeconds, growthBytes }: Cost): string {
  return `${cpuSeconds.toFixed(2)} s of CPU, ${Math.round(growthBytes / MB)} MB`;
}
