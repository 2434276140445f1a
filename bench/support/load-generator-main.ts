import { readFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import autocannon from 'autocannon';
import { type Dispatcher, Pool } from 'undici';
import type { DrainJob, EachJob, GetJob, GetRequest, Job, Load, UploadJob } from './jobs.ts';
import { stamp } from './make-photos.ts';

/** The process that makes the load: does one job after the other, as its parent sends them. */
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
const MAX_ERRORS = 5;

/** From here on autocannon's parser, which is JavaScript, takes a core before a bare server does; undici's is not. */
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
  if (good !== requests)
    errors.push(`${requests - good} answers other than ${status}: ${Object.keys(codes).join(', ')}`);
  if (result.throughput.total < requests * atLeastBytes) errors.push('answers are too short');
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
  return isShort ? { ...load, errors: [...load.errors, 'answers are too short'] } : load;
}

function originOf([request]: GetJob['requests']): string {
  return new URL(request?.url ?? '').origin;
}

function pathAndHeaders({ url, headers }: GetRequest): { path: string; headers: GetRequest['headers'] } {
  const { pathname, search } = new URL(url);
  return { path: pathname + search, headers };
}

/** Never the same again, not even in the next run against the same catalog. */
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
      await tally.send({ path: new URL(job.url).pathname, method: 'POST', headers, body }, 201);
    }
  });
}

/** RFC 7578, with the one part that an upload has. */
function formWith(photo: Buffer): { readonly form: Buffer; readonly photoAt: number } {
  const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="photo.jpg"\r\nContent-Type: image/jpeg\r\n\r\n`;
  const form = Buffer.concat([Buffer.from(head), photo, Buffer.from(`\r\n--${BOUNDARY}--\r\n`)]);
  return { form, photoAt: head.length };
}

async function each({ urls, method, headers, status, seconds, connections }: EachJob): Promise<Load> {
  const tally = new Tally(urls[0] ?? '', connections);
  let at = 0;
  return await tally.during(async () => {
    for (let url = urls[at++]; url !== undefined && tally.isWithin(seconds); url = urls[at++]) {
      const { pathname, search } = new URL(url);
      await tally.send({ path: pathname + search, method, headers }, status);
    }
  });
}

/** Counts what the answers of one run were, over connections of its own. */
class Tally {
  readonly #pool: Pool;
  readonly #begun = performance.now();
  readonly #latencies: number[] = [];
  readonly #etags = new Set<string>();
  readonly #errors: string[] = [];
  #bytes = 0;

  constructor(
    url: string,
    private readonly connections: number,
  ) {
    this.#pool = new Pool(new URL(url).origin, { connections, pipelining: 1 });
  }

  isWithin(seconds = Number.POSITIVE_INFINITY): boolean {
    return this.#errors.length < MAX_ERRORS && performance.now() - this.#begun < seconds * 1000;
  }

  /** As many workers as there are connections: each sends its next request when its last one is answered. */
  async during(work: () => Promise<void>): Promise<Load> {
    await Promise.all(Array.from({ length: this.connections }, work));
    const seconds = (performance.now() - this.#begun) / 1000;
    await this.#pool.close();
    return this.#load(seconds);
  }

  /** Resolves when the answer has ended. By `dispatch`, which makes no stream of a body that is only counted. */
  async send(request: Dispatcher.RequestOptions, status: number): Promise<void> {
    const begun = performance.now();
    await new Promise<void>((resolve) => {
      this.#pool.dispatch(request, {
        onRequestStart: () => undefined,
        onResponseStart: (_controller, statusCode, headers) => this.#look(statusCode, headers, status),
        onResponseData: (_controller, chunk) => {
          this.#bytes += chunk.length;
        },
        onResponseEnd: () => {
          this.#latencies.push(performance.now() - begun);
          resolve();
        },
        onResponseError: (_controller, error) => {
          this.#errors.push(String(error));
          resolve();
        },
      });
    });
  }

  #look(statusCode: number, { etag }: IncomingHttpHeaders, expected: number): void {
    if (statusCode !== expected) this.#errors.push(`${statusCode} where ${expected} was expected`);
    if (typeof etag === 'string') this.#etags.add(etag);
  }

  #load(seconds: number): Load {
    const sorted = this.#latencies.sort((a, b) => a - b);
    const at = (part: number): number => sorted[Math.floor(part * (sorted.length - 1))] ?? 0;
    return {
      requests: sorted.length,
      seconds,
      latency: { p50: at(0.5), p99: at(0.99) },
      bytes: this.#bytes,
      etags: [...this.#etags],
      found: 0,
      errors: this.#errors,
    };
  }
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
    errors: statusCode === 200 ? [] : [`${statusCode} where 200 was expected`],
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
