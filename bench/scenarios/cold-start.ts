import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { PROJECT_FOLDER, startService } from '../../test/support/servers/service-process.ts';
import type { Outcome, Scenario } from '../support/scenario.ts';
import { median, spreadOf } from '../support/statistics.ts';
import type { Workbench } from '../support/workbench.ts';

/** Time from the spawn of the service, with an existing catalog, to its first responses. */
export const coldStart: Scenario = { name: 'cold-start', run };

async function run(bench: Workbench): Promise<Outcome> {
  const folder = await bench.makeFolder('service');
  await start(bench, folder); // Creates the catalog and warms up the file cache.
  await importBare();
  const rounds = bench.options.quick ? bench.options.rounds : Math.max(5, bench.options.rounds);
  const starts: Start[] = [];
  const bare: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    starts.push(await start(bench, folder));
    bare.push(await importBare());
  }
  const ratio = spreadOf(starts.map(({ openMs }, round) => openMs / (bare[round] ?? Number.NaN)));
  const what = 'cold start to the first 200 on /: to node importing koa, knex and sharp';
  return {
    checks: [{ what, measured: ratio.median, bound: 'at most', target: 1.8 }],
    notes: [
      {
        what: 'cold start to the first 200 on /',
        measured: median(starts.map(({ openMs }) => openMs)),
        unit: 'ms',
      },
      {
        what: 'cold start to the first authenticated 200',
        measured: median(starts.map(({ authenticatedMs }) => authenticatedMs)),
        unit: 'ms',
      },
      { what: 'node importing koa, knex and sharp', measured: median(bare), unit: 'ms' },
    ],
  };
}

interface Start {
  readonly openMs: number;
  readonly authenticatedMs: number;
}

async function start(bench: Workbench, folder: string): Promise<Start> {
  const begun = performance.now();
  const { process, url } = await startService({ folder, env: bench.serviceEnvironment });
  await expectOk(url);
  const openMs = performance.now() - begun;
  await expectOk(`${url}api/images?limit=1`, bench.authorization);
  const authenticatedMs = performance.now() - begun;
  await process.stop();
  return { openMs, authenticatedMs };
}

async function expectOk(url: string, headers: Readonly<Record<string, string>> = {}): Promise<void> {
  const response = await fetch(url, { headers });
  await response.arrayBuffer();
  if (response.status !== 200) throw new Error(`${response.status} for ${url}`);
}

async function importBare(): Promise<number> {
  const script = `await Promise.all([import('koa'), import('knex'), import('sharp')]); process.exit()`;
  const begun = performance.now();
  await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], { cwd: PROJECT_FOLDER });
  return performance.now() - begun;
}
