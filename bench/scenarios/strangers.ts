import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { MAX_RENDITION_BYTES } from '../../src/domain/image/rendition.ts';
import { FORM_TYPE, filePart, multipart } from '../../test/support/fixtures/multipart.ts';
import { randomNumbers } from '../../test/support/fixtures/random-numbers.ts';
import { filesBelow } from '../support/files-below.ts';
import { makePhoto, PHOTO_SHAPES, type Photo, stamp } from '../support/make-photos.ts';
import type { Outcome, Scenario } from '../support/scenario.ts';
import { percentile } from '../support/statistics.ts';
import type { Workbench } from '../support/workbench.ts';
import { publish, startPublishing } from './public-addresses.ts';

const PICTURES = 100;
const STRANGERS = 50;
const UPLOADERS = 4;
/** The strangers fill it. */
const CACHE_BYTES = 300_000_000;
/** A run of 4 seconds becomes two minutes. */
const RUNS = 30;
const FORMATS = ['', 'jpeg', 'png', 'webp', 'avif'];
const WIDTHS = [16, 32, 48, 64, 96, 128, 256, 320, 384, 480, 640, 750, 828, 1080, 1200, 1920, 2048, 3840];
const QUALITIES = Array.from({ length: 20 }, (_, index) => 5 * (index + 1));
/** After a response without success. */
const PAUSE_MS = 200;

/** Strangers ask for every size and format of every public picture, beside uploads and a person who is signed in. */
export const strangers: Scenario = { name: 'strangers', isQuick: false, run };

async function run(bench: Workbench): Promise<Outcome> {
  const { server, web, folder } = await startPublishing(bench, {
    RENDITION_CACHE_MAX_BYTES: String(CACHE_BYTES),
  });
  await bench.upload(server, '3MB', PICTURES);
  const addresses = await publish(bench, server, PICTURES);
  const photo = await makePhoto(PHOTO_SHAPES['3MB']);
  const views = urlsOfViews();
  const person: Client = { url: server.url, good: 200, next: () => get(bench.otherAuthorization, views) };
  const uploader: Client = { url: server.url, good: 201, next: () => uploadOf(bench, photo) };
  const others = (seconds: number): readonly Promise<Seen>[] => [
    repeat([person], seconds),
    repeat(
      Array.from({ length: UPLOADERS }, () => uploader),
      seconds,
    ),
  ];
  const [, uploadsAlone] = (await Promise.all(others(5 * bench.seconds))) as [Seen, Seen];
  const seconds = RUNS * bench.seconds;
  const wanted = requestsOfStrangers(addresses, randomNumbers(bench.options.seed));
  const stranger: Client = { url: web, good: 200, next: () => get({}, wanted) };
  const [largest, served, viewed, uploads] = (await Promise.all([
    largestSize(join(folder, 'renditions'), seconds),
    repeat(
      Array.from({ length: STRANGERS }, () => stranger),
      seconds,
    ),
    ...others(seconds),
  ])) as [number, Seen, Seen, Seen];
  return outcome({ largest, served, viewed, kept: uploads.perSecond / uploadsAlone.perSecond });
}

interface Figures {
  /** Of the cache, in bytes. */
  readonly largest: number;
  readonly served: Seen;
  readonly viewed: Seen;
  /** Uploads beside strangers to uploads without. */
  readonly kept: number;
}

function outcome({ largest, served, viewed, kept }: Figures): Outcome {
  const p95 = percentile(viewed.latencies, 0.95);
  return {
    checks: [
      {
        what: 'uncached rendition of a person beside strangers, p95',
        measured: p95,
        bound: 'at most',
        target: 2_000,
        unit: 'ms',
      },
      {
        what: 'renditions of the person that were refused',
        measured: viewed.refused,
        bound: 'exactly',
        target: 0,
      },
      { what: 'uploads beside strangers, to those without', measured: kept, bound: 'at least', target: 0.65 },
      {
        what: 'largest size of the rendition cache, with one that is being written',
        measured: largest,
        bound: 'at most',
        target: CACHE_BYTES + MAX_RENDITION_BYTES,
        unit: 'B',
      },
    ],
    notes: [
      { what: 'renditions of the person', measured: viewed.latencies.length, unit: 'responses' },
      { what: 'renditions of strangers', measured: served.latencies.length, unit: 'responses' },
      { what: 'refused strangers', measured: served.refused, unit: 'responses' },
    ],
  };
}

interface HttpRequest {
  readonly path: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer;
}

interface Client {
  readonly url: string;
  /** The status of a success. */
  readonly good: number;
  readonly next: () => HttpRequest;
}

interface Seen {
  readonly latencies: readonly number[];
  readonly perSecond: number;
  readonly refused: number;
}

/** Each client sends one request after the other until the time is over. */
async function repeat(clients: readonly Client[], seconds: number): Promise<Seen> {
  const latencies: number[] = [];
  let refused = 0;
  const begun = performance.now();
  const end = begun + seconds * 1000;
  await Promise.all(
    clients.map(async ({ url, good, next }) => {
      const pool = new Pool(url, { connections: 1 });
      while (performance.now() < end) {
        const since = performance.now();
        const { statusCode, body } = await pool.request(next());
        await body.dump();
        if (statusCode === good) latencies.push(performance.now() - since);
        else {
          refused += 1;
          await sleep(PAUSE_MS);
        }
      }
      await pool.close();
    }),
  );
  return { latencies, refused, perSecond: (1000 * latencies.length) / (performance.now() - begun) };
}

function get(headers: Readonly<Record<string, string>>, paths: Iterator<string>): HttpRequest {
  const { value: path } = paths.next() as IteratorYieldResult<string>;
  return { path, method: 'GET', headers };
}

let serial = 0;

function uploadOf(bench: Workbench, { bytes, serialAt }: Photo): HttpRequest {
  const copy = Buffer.from(bytes);
  stamp(copy, serialAt, 1_000_000 + (serial += 1));
  return {
    path: '/api/upload',
    method: 'POST',
    headers: { ...bench.authorization, 'content-type': FORM_TYPE },
    body: multipart([filePart(copy)]),
  };
}

/** In any order, so that large and small ones come from the beginning, and again when the cache has forgotten them. */
function* requestsOfStrangers(addresses: readonly string[], random: () => number): Generator<string> {
  for (;;) {
    const [address, width, format] = [
      anyOf(addresses, random),
      anyOf(WIDTHS, random),
      anyOf(FORMATS, random),
    ];
    yield `/${address}?width=${width}${format === '' ? '' : `&format=${format}`}`;
  }
}

function anyOf<T>(choices: readonly T[], random: () => number): T {
  return choices[Math.floor(random() * choices.length)] as T;
}

/** No stranger asks for these. */
function* urlsOfViews(): Generator<string> {
  for (const height of WIDTHS.slice(7)) {
    for (const quality of QUALITIES) {
      for (let id = 1; id <= PICTURES; id += 1) {
        yield `/api/image/${id}/file?width=320&height=${height}&format=webp&quality=${quality}`;
      }
    }
  }
}

/** In bytes, seen once a second. */
async function largestSize(folder: string, seconds: number): Promise<number> {
  let largest = 0;
  for (let second = 0; second < seconds; second += 1) {
    await sleep(1000);
    largest = Math.max(largest, await sizeOf(folder));
  }
  return largest;
}

async function sizeOf(folder: string): Promise<number> {
  const sizes = (await filesBelow(folder)).map(async (path) => {
    // It may have been evicted since.
    const found = await stat(path).catch(() => undefined);
    return found === undefined ? 0 : found.size;
  });
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}
