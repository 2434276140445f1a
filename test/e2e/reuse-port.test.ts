import { expect } from 'chai';
import { canReusePorts } from '../../src/infrastructure/config/variable-types.ts';
import { Scrape } from '../support/http/scrape.ts';
import { lastingPort } from '../support/servers/lasting-port.ts';
import { nodeOfVersion } from '../support/servers/node-versions.ts';
import { ServiceFolder } from '../support/servers/service-folder.ts';
import type { NodeProcess } from '../support/servers/service-process.ts';
import { skipAloud } from '../support/skipped/skip-aloud.ts';
import { LONG_TEST_MS } from '../support/time/hang-guard.ts';

/** As in the tests of the client: CI fetches versions in a step of its own. */
const fetched = process.env.CLIENT_NODE_VERSIONS?.split(',').find((version) => Number(version) >= 24);
const isAble = canReusePorts(process.platform, process.versions.node);

/** Runs the service with this Node.js instead of that of the tests. */
function through(node: string): readonly string[] {
  return ['sh', '-c', 'shift; exec "$0" "$@"', node];
}

describe('two processes with REUSE_PORT=true', function () {
  this.timeout(LONG_TEST_MS);
  let folder: ServiceFolder;
  let node: string;

  before(async function () {
    if (!isAble && fetched === undefined) skipAloud(this, 'this version of Node.js cannot share a port');
    node = await nodeOfVersion(isAble ? undefined : fetched);
    folder = await ServiceFolder.open();
  });

  after(() => folder?.close());

  it('share the connections to one port, and one goes on alone', async () => {
    const port = await lastingPort();
    const management = [await lastingPort(), await lastingPort()];
    const processes: NodeProcess[] = [];
    for (const own of management) {
      const env = { PORT: `${port}`, MANAGEMENT_PORT: `${own}`, REUSE_PORT: 'true' };
      processes.push((await folder.start(env, { through: through(node) })).process);
    }
    const ask = (): Promise<Response> =>
      fetch(`http://127.0.0.1:${port}/`, { headers: { Connection: 'close' } });
    for (let number = 0; number < 60; number += 1) expect((await ask()).status).to.equal(200);

    for (const own of management) expect(await requestsOf(own)).to.be.above(0);
    await processes[0]?.stop();
    for (let number = 0; number < 20; number += 1) expect((await ask()).status).to.equal(200);
    await processes[1]?.stop();
  });
});

async function requestsOf(management: number): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${management}/metrics`)).text();
  const counts = new Scrape(text).all('image_catalog_http_request_duration_seconds_count');
  return counts.reduce((sum, { value }) => sum + value, 0);
}
