import { uploadedId } from '../../test/support/http/catalog-client.ts';
import { compare, type Subject } from '../support/compare.ts';
import { makePhoto } from '../support/make-photos.ts';
import type { Outcome, Scenario } from '../support/scenario.ts';
import { WITHOUT_PRERENDERING } from '../support/server.ts';
import type { Workbench } from '../support/workbench.ts';

const CONCURRENCY = 8;
const RENDITION = '?width=320&format=webp';

/** Throughput of a cached rendition. The baseline is an original of the same size. */
export const storedRendition: Scenario = { name: 'stored-rendition', run };

async function run(bench: Workbench): Promise<Outcome> {
  const server = await bench.startService(await bench.makeFolder('service'), { env: WITHOUT_PRERENDERING });
  await bench.upload(server, '3MB', 1);
  const client = bench.client(server);
  const { byteLength: size } = await (await client.file(1, RENDITION)).arrayBuffer();
  const photo = await makePhoto({ width: 320, height: 240, bytes: size });
  const id = uploadedId(await client.upload(new Uint8Array(photo.bytes), 'photo.jpg'));
  const subject = (path: string, atLeastBytes: number): Subject => ({
    server,
    job: bench.getJob(server, [path], { connections: CONCURRENCY, atLeastBytes }),
  });
  const comparison = await compare(
    bench,
    'stored-rendition',
    CONCURRENCY,
    subject(`api/image/1/file${RENDITION}`, size),
    subject(`api/image/${id}/file`, photo.bytes.length),
  );
  const measured = comparison.throughputRatio.median;
  const what = `stored-rendition, c=${CONCURRENCY}: throughput to that of an original`;
  return {
    comparisons: [comparison],
    checks: [{ what, measured, bound: 'at least', target: 0.9 }],
    notes: [
      { what: 'bytes of the rendition', measured: size, unit: 'B' },
      { what: 'bytes of the original', measured: photo.bytes.length, unit: 'B' },
    ],
  };
}
