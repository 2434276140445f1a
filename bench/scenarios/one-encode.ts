import { watch } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { filesBelow } from '../support/files-below.ts';
import { measure, type Run } from '../support/measure.ts';
import type { Outcome, Scenario } from '../support/scenario.ts';
import { type Server, WITHOUT_PRERENDERING } from '../support/server.ts';
import type { Workbench } from '../support/workbench.ts';

const CLIENTS = 200;

/**
 * Many clients request the same cold rendition at once. Each encode writes a temporary file of its own to the cache, so
 * the number of distinct temporary names is the number of encodes.
 */
export const oneEncode: Scenario = { name: 'one-encode', run };

async function run(bench: Workbench): Promise<Outcome> {
  const folder = await bench.makeFolder('service');
  const server = await bench.startService(folder, { env: WITHOUT_PRERENDERING });
  await bench.upload(server, '3MB', 1);
  await request(bench, server, 16, 1); // Creates the folder that is watched.
  const alone = await request(bench, server, 480, 1);
  const { encodes, together } = await countEncodes(await cacheFolder(folder), () =>
    request(bench, server, 640, CLIENTS),
  );
  return {
    checks: [
      {
        what: `${CLIENTS} clients of one cold rendition: encodes`,
        measured: encodes,
        bound: 'exactly',
        target: 1,
      },
      {
        what: `${CLIENTS} clients of one cold rendition: distinct entity tags`,
        measured: together.load.etags.length,
        bound: 'exactly',
        target: 1,
      },
    ],
    notes: [
      { what: `CPU of all ${CLIENTS} requests`, measured: together.cpuMsPerRequest * CLIENTS, unit: 'ms' },
      { what: 'CPU of one cold rendition', measured: alone.cpuMsPerRequest, unit: 'ms' },
    ],
  };
}

async function request(bench: Workbench, server: Server, width: number, clients: number): Promise<Run> {
  const url = `${server.url}api/image/1/file?width=${width}&format=webp`;
  return await measure(bench.generator, server, {
    kind: 'each',
    method: 'GET',
    urls: Array.from({ length: clients }, () => url),
    headers: bench.authorization,
    connections: clients,
    status: 200,
  });
}

async function cacheFolder(folder: string): Promise<string> {
  const [file] = await filesBelow(join(folder, 'renditions'));
  if (file === undefined) throw new Error('The rendition is not in the cache');
  return dirname(file);
}

async function countEncodes(
  folder: string,
  work: () => Promise<Run>,
): Promise<{ readonly encodes: number; readonly together: Run }> {
  const names = new Set<string>();
  const watcher = watch(folder, (_event, name) => {
    if (name?.endsWith('.part')) names.add(name);
  });
  const together = await work();
  await sleep(200); // The last events arrive late.
  watcher.close();
  return { encodes: names.size, together };
}
