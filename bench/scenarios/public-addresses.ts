import { lastingPort } from '../../test/support/servers/lasting-port.ts';
import { compare, type Subject } from '../support/compare.ts';
import type { Outcome, Scenario } from '../support/scenario.ts';
import { type Server, WITHOUT_PRERENDERING } from '../support/server.ts';
import type { Workbench } from '../support/workbench.ts';

const CONCURRENCY = 8;
const RENDITION = { width: 320, format: 'webp' } as const;

/** CPU of a cached rendition of a public name. The baseline is a signed link to the same rendition. */
export const publicAddress: Scenario = { name: 'public-address', run };

async function run(bench: Workbench): Promise<Outcome> {
  const { server, web } = await startPublishing(bench);
  await bench.upload(server, '3MB', 1);
  const [published = ''] = await publish(bench, server, 1);
  const link = await bench.client(server).link(1, RENDITION);
  const { byteLength } = await (await fetch(new URL(link, web))).arrayBuffer();
  const subject = (path: string): Subject => ({
    server,
    job: bench.getJob({ ...server, url: web }, [path], {
      connections: CONCURRENCY,
      atLeastBytes: byteLength,
    }),
  });
  const comparison = await compare(
    bench,
    'public-address',
    CONCURRENCY,
    subject(`${published}?width=${RENDITION.width}&format=${RENDITION.format}`),
    subject(link.slice(1)),
  );
  return {
    comparisons: [comparison],
    checks: [
      {
        what: 'cached rendition of a public name: CPU to that of a signed link',
        measured: comparison.cpuRatio.median,
        bound: 'at most',
        target: 1.05,
        limit: 1.2,
      },
    ],
  };
}

interface PublishingService {
  readonly server: Server;
  /** Of the web listener, with a slash at its end. */
  readonly web: string;
  readonly folder: string;
}

/** @param env further settings */
export async function startPublishing(
  bench: Workbench,
  env: Readonly<Record<string, string>> = {},
): Promise<PublishingService> {
  const port = await lastingPort();
  const folder = await bench.makeFolder('service');
  const server = await bench.startService(folder, {
    env: {
      ...WITHOUT_PRERENDERING,
      PUBLISH_NAMES: 'true',
      WEB_HOST: '127.0.0.1',
      WEB_PORT: String(port),
      ...env,
    },
  });
  return { server, web: `http://127.0.0.1:${port}/`, folder };
}

/** Publishes a name for each of the first images. Resolves to their paths, without a slash at the beginning. */
export async function publish(bench: Workbench, server: Server, images: number): Promise<readonly string[]> {
  const client = bench.client(server);
  for (let id = 1; id <= images; id += 1) {
    const { status } = await client.setName(`picture-${id}`, id, true);
    if (status !== 201) throw new Error(`Publishing image ${id} was refused with ${status}`);
  }
  return (await client.listNames()).map(({ number, name }) => `p/${number}/${name}`);
}
