import { compare, type Subject } from '../support/compare.ts';
import { makePhoto } from '../support/make-photos.ts';
import type { Outcome, Scenario } from '../support/scenario.ts';
import type { Server } from '../support/server.ts';
import type { Workbench } from '../support/workbench.ts';

const CONCURRENCY = 8;

/** A rendition that was made before costs what any stored file of its size does: beside it, an original of that size. */
export const storedRendition: Scenario = { name: 'stored-rendition', run };

async function run(bench: Workbench): Promise<Outcome> {
  const server = await bench.startService(await bench.makeFolder('service'));
  await bench.upload(server, '3MB', 1);
  const rendition = `${server.url}api/image/1/file?width=320&format=webp`;
  const size = await sizeOf(bench, rendition);
  const photo = await makePhoto({ width: 320, height: 240, bytes: size });
  const original = `${server.url}api/image/${await upload(bench, server, photo.bytes)}/file`;
  const subject = (url: string, atLeastBytes: number): Subject => ({
    server,
    job: {
      kind: 'get',
      requests: [{ url, headers: bench.authorization }],
      connections: CONCURRENCY,
      seconds: bench.seconds,
      status: 200,
      atLeastBytes,
    },
  });
  const comparison = await compare(
    bench,
    'stored-rendition',
    CONCURRENCY,
    subject(rendition, size),
    subject(original, photo.bytes.length),
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

async function sizeOf(bench: Workbench, url: string): Promise<number> {
  return (await (await fetch(url, { headers: bench.authorization })).arrayBuffer()).byteLength;
}

async function upload(bench: Workbench, server: Server, bytes: Uint8Array): Promise<number> {
  const body = new FormData();
  body.append('file', new Blob([new Uint8Array(bytes)]), 'photo.jpg');
  const response = await fetch(`${server.url}api/upload`, {
    method: 'POST',
    headers: bench.authorization,
    body,
  });
  if (response.status !== 201) throw new Error(`The upload answers ${response.status}`);
  return ((await response.json()) as { id: number }).id;
}
