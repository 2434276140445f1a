import { rssOf } from '../../test/support/servers/process-tree.ts';
import { measure } from '../support/measure.ts';
import type { Outcome, Scenario } from '../support/scenario.ts';
import type { Workbench } from '../support/workbench.ts';

const CLIENTS = 32;
const MB = 2 ** 20;

/** Peak memory under concurrent uploads, above that of a service after its first request. */
export const uploadMemory: Scenario = { name: 'upload-memory', run };

async function run(bench: Workbench): Promise<Outcome> {
  const growths: number[] = [];
  let idle = 0;
  const rounds = bench.options.quick ? 1 : bench.options.rounds;
  for (let round = 0; round < rounds; round += 1) {
    const server = await bench.startService(await bench.makeFolder('service'));
    await fetch(`${server.url}api/images?limit=1`, { headers: bench.authorization });
    idle = rssOf(server.pid);
    const limits = { connections: CLIENTS, seconds: 60, atMost: CLIENTS * 4 };
    const run = await measure(bench.generator, server, await bench.uploadJob(server, '3MB', limits));
    growths.push((run.peakRssBytes - idle) / MB);
    await bench.stopServers();
  }
  const what = `${CLIENTS} concurrent uploads of 3 MB: peak RSS above idle`;
  return {
    checks: [{ what, measured: Math.max(...growths), bound: 'at most', target: 120, unit: 'MB' }],
    notes: [{ what: 'RSS of an idle service', measured: idle / MB, unit: 'MB' }],
  };
}
