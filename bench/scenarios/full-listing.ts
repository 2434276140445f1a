import { join } from 'node:path';
import { rssOf } from '../../test/support/servers/process-tree.ts';
import type { Catalog } from '../support/fill-catalog.ts';
import type { DrainJob } from '../support/jobs.ts';
import { InvalidRun, measure } from '../support/measure.ts';
import type { Outcome } from '../support/scenario.ts';
import type { Server } from '../support/server.ts';
import { median } from '../support/statistics.ts';
import type { Workbench } from '../support/workbench.ts';

const MB = 2 ** 20;

interface Listing {
  readonly recordsPerSecond: number;
  readonly growthMB: number;
  readonly peakMB: number;
  readonly bytes: number;
}

/** Lists the whole catalog in one response. The baseline is a bare keyset loop that writes the same JSON. */
export async function fullListing(bench: Workbench, catalog: Catalog): Promise<Outcome> {
  const listings: Listing[] = [];
  const ratios: number[] = [];
  for (let round = 0; round < bench.options.rounds; round += 1) {
    const service = await list(bench, catalog, await bench.startService(catalog.folder), 'api/images');
    const baseline = await bench.startBaseline('listing', [join(catalog.folder, 'catalog.sqlite')]);
    const bare = await list(bench, catalog, baseline, '');
    if (service.bytes !== bare.bytes) throw new Error('Service and baseline write different JSON');
    listings.push(service);
    ratios.push(service.recordsPerSecond / bare.recordsPerSecond);
    await bench.stopServers();
  }
  const of = (pick: (listing: Listing) => number): number => Math.max(...listings.map(pick));
  const what = `full listing of ${catalog.size}`;
  return {
    checks: [
      {
        what: `${what}: records per second to a bare loop's`,
        measured: median(ratios),
        bound: 'at least',
        target: 0.5,
      },
      {
        what: `${what}: peak RSS above idle`,
        measured: of((l) => l.growthMB),
        bound: 'at most',
        target: 60,
        unit: 'MB',
      },
      { what: `${what}: peak RSS`, measured: of((l) => l.peakMB), bound: 'at most', target: 150, unit: 'MB' },
    ],
    notes: [{ what, measured: median(listings.map((l) => l.recordsPerSecond)), unit: 'records/s' }],
  };
}

/** @throws {InvalidRun} if records are missing */
async function list(bench: Workbench, catalog: Catalog, server: Server, path: string): Promise<Listing> {
  const headers = bench.authorization;
  if (path !== '') await (await fetch(`${server.url}${path}?limit=1`, { headers })).arrayBuffer();
  const idle = rssOf(server.pid);
  const job: DrainJob = { kind: 'drain', url: server.url + path, headers, needle: '"originalName":' };
  const { load, peakRssBytes } = await measure(bench.generator, server, job);
  if (load.found !== catalog.size) {
    throw new InvalidRun(job.kind, [`${load.found} of ${catalog.size} records`]);
  }
  return {
    recordsPerSecond: load.found / load.seconds,
    growthMB: (peakRssBytes - idle) / MB,
    peakMB: peakRssBytes / MB,
    bytes: load.bytes,
  };
}
