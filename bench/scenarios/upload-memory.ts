import { pssOf } from '../../test/support/servers/process-tree.ts';
import { measure } from '../support/measure.ts';
import type { Outcome, Scenario } from '../support/scenario.ts';
import type { Workbench } from '../support/workbench.ts';

const CLIENTS = 32;
const MB = 2 ** 20;
const LOOK_EVERY_MS = 50;

/** Peak memory of all processes under concurrent uploads, above that of a service after its first request. Shared pages count once. */
export const uploadMemory: Scenario = { name: 'upload-memory', run };

async function run(bench: Workbench): Promise<Outcome> {
  const growths: number[] = [];
  let idle = 0;
  const rounds = bench.options.quick ? 1 : bench.options.rounds;
  for (let round = 0; round < rounds; round += 1) {
    const server = await bench.startService(await bench.makeFolder('service'));
    await fetch(`${server.url}api/images?limit=1`, { headers: bench.authorization });
    idle = pssOf(server.pid);
    const limits = { connections: CLIENTS, seconds: 60, atMost: CLIENTS * 4 };
    const job = await bench.uploadJob(server, '3MB', limits);
    let peak = idle;
    const watch = setInterval(() => {
      peak = Math.max(peak, pssOf(server.pid));
    }, LOOK_EVERY_MS);
    await measure(bench.generator, server, job).finally(() => clearInterval(watch));
    growths.push((peak - idle) / MB);
    await bench.stopServers();
  }
  const what = `${CLIENTS} concurrent uploads of 3 MB: peak PSS above idle`;
  return {
    checks: [{ what, measured: Math.max(...growths), bound: 'at most', target: 120, unit: 'MB' }],
    notes: [{ what: 'PSS of an idle service', measured: idle / MB, unit: 'MB' }],
  };
}
