import { readFileSync } from 'node:fs';
import autocannon from 'autocannon';
import { Pool } from 'undici';
import type { DrainJob, EachJob, GetJob, GetRequest, Job, Load, UploadJob } from './jobs.ts';
import { stamp } from './make-photos.ts';
import { Tally } from './tally.ts';

/** The process of the load generator: performs each job that its parent sends. */
process.on('message', (job: Job) => {
  perform(job).then(
    (load) => process.send?.(load),
    (error: unknown) => process.send?.({ ...NOTHING, errors: [String(error)] } satisfies Load),
  );
});

const NOTHING: Load = {
  requests: 0,
  seconds: 0,
  latency: { p50: 0, p99: 0 },
  bytes: 0,
  etags: [],
  found: 0,
  errors: [],
};

const BOUNDARY = 'bench-boundary-of-the-form';

/** For larger responses autocannon's JavaScript parser uses more CPU than a bare server, so undici is used. */
const LARGE_BYTES = 4096;

async function perform(job: Job): Promise<Load> {
  switch (job.kind) {
    case 'get':
      return await (job.atLeastBytes > LARGE_BYTES ? getLarge(job) : get(job));
    case 'upload':
      return await upload(job);
    case 'each':
      return await each(job);
    case 'drain':
      return await drain(job);
  }
}

async function get({ requests: wanted, connections, seconds, status, atLeastBytes }: GetJob): Promise<Load> {
  const begun = performance.now();
  let connection = 0;
  const result = await autocannon({
    url: originOf(wanted),
    connections,
    duration: seconds,
    timeout: 30,
    setupClient: (client) => {
      const place = Math.floor((wanted.length * connection++) / connections);
      client.setRequests([...wanted.slice(place), ...wanted.slice(0, place)].map(pathAndHeaders));
    },
  });
  const requests = result.requests.total;
  const codes: Readonly<Record<string, { count?: number } | undefined>> = result.statusCodeStats ?? {};
  const good = codes[status]?.count ?? 0;
  const errors: string[] = [];
  if (result.errors > 0) errors.push(`${result.errors} connection errors`);
  if (good !== requests) {
    errors.push(`${requests - good} responses other than ${status}: ${Object.keys(codes).join(', ')}`);
  }
  if (result.throughput.total < requests * atLeastBytes) errors.push('responses are too short');
  return {
    ...NOTHING,
    requests,
    seconds: (performance.now() - begun) / 1000,
    latency: { p50: result.latency.p50, p99: result.latency.p99 },
    bytes: result.throughput.total,
    errors,
  };
}

async function getLarge(job: GetJob): Promise<Load> {
  const requests = job.requests.map(pathAndHeaders);
  const tally = new Tally(originOf(job.requests), job.connections);
  let at = 0;
  const load = await tally.during(async () => {
    while (tally.isWithin(job.seconds)) {
      const { path, headers } = requests[at++ % requests.length] as (typeof requests)[number];
      await tally.send({ path, method: 'GET', headers }, job.status);
    }
  });
  const isShort = load.bytes < load.requests * job.atLeastBytes;
  return isShort ? { ...load, errors: [...load.errors, 'responses are too short'] } : load;
}

function originOf([request]: GetJob['requests']): string {
  return new URL(request?.url ?? '').origin;
}

function pathAndHeaders({ url, headers }: GetRequest): { path: string; headers: GetRequest['headers'] } {
  const { pathname, search } = new URL(url);
  return { path: pathname + search, headers };
}

/** Never repeats, not even in the next run on the same catalog. */
let serial = Date.now() * 1000;

async function upload(job: UploadJob): Promise<Load> {
  const { form, photoAt } = formWith(readFileSync(job.photo));
  const headers = { ...job.headers, 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };
  const tally = new Tally(job.url, job.connections);
  let left = job.atMost ?? Number.POSITIVE_INFINITY;
  return await tally.during(async () => {
    const body = Buffer.from(form);
    while (left > 0 && tally.isWithin(job.seconds)) {
      left -= 1;
      stamp(body, photoAt + job.serialAt, serial++);
      const request = { path: new URL(job.url).pathname, method: 'POST', headers, body } as const;
      if (job.view === undefined) await tally.send(request, 201);
      else await tally.sendAndView(request, `/file${job.view}`);
    }
  });
}

/** A form with one part (RFC 7578). */
function formWith(photo: Buffer): { readonly form: Buffer; readonly photoAt: number } {
  const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="photo.jpg"\r\nContent-Type: image/jpeg\r\n\r\n`;
  const form = Buffer.concat([Buffer.from(head), photo, Buffer.from(`\r\n--${BOUNDARY}--\r\n`)]);
  return { form, photoAt: head.length };
}

async function each({ urls, method, headers, body, status, seconds, connections }: EachJob): Promise<Load> {
  const tally = new Tally(urls[0] ?? '', connections);
  let at = 0;
  return await tally.during(async () => {
    for (let url = urls[at++]; url !== undefined && tally.isWithin(seconds); url = urls[at++]) {
      const { pathname, search } = new URL(url);
      await tally.send({ path: pathname + search, method, headers, body: body ?? null }, status);
    }
  });
}

async function drain({ url, headers, needle }: DrainJob): Promise<Load> {
  const begun = performance.now();
  const { origin, pathname, search } = new URL(url);
  const pool = new Pool(origin, { connections: 1, bodyTimeout: 60_000 });
  const { statusCode, body } = await pool.request({ path: pathname + search, method: 'GET', headers });
  const count = await countIn(body, Buffer.from(needle));
  await pool.close();
  return {
    ...NOTHING,
    ...count,
    requests: 1,
    seconds: (performance.now() - begun) / 1000,
    errors: statusCode === 200 ? [] : [`${statusCode} instead of 200`],
  };
}

async function countIn(
  body: AsyncIterable<Buffer>,
  needle: Buffer,
): Promise<{ bytes: number; found: number }> {
  let bytes = 0;
  let found = 0;
  let rest = Buffer.alloc(0);
  for await (const chunk of body) {
    const text = Buffer.concat([rest, chunk]);
    for (let at = text.indexOf(needle); at !== -1; at = text.indexOf(needle, at + needle.length)) found += 1;
    rest = text.subarray(Math.max(text.length - needle.length + 1, 0));
    bytes += chunk.length;
  }
  return { bytes, found };
}
