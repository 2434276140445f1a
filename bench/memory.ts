import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { sharp } from '../src/adapters/sharp/sharp.ts';
import { randomNumbers } from '../test/support/random-numbers.ts';
import { RunningCatalog } from '../test/support/running-catalog.ts';
import { streamUpload } from '../test/support/streamed-upload.ts';

const USAGE = `Measures what the service holds in memory. Needs Linux (reads /proc) and the built service.

  (nothing)       32 concurrent uploads of 40 MB stay under 200 MB above idle
  --day           a day's worth of mixed requests ends within 10 % of the memory after warm-up
  --minutes N     how long that takes, default 10
  --rounds N      how often the uploads come, default 3
  --seed N        of the pictures and of the choices, default 1`;

const MB = 1e6;
const UPLOADS = 32;
const UPLOAD_BYTES = 40 * MB;
const MAX_GROWTH_BYTES = 200 * MB;

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      day: { type: 'boolean', default: false },
      minutes: { type: 'string', default: '10' },
      rounds: { type: 'string', default: '3' },
      seed: { type: 'string', default: '1' },
      help: { type: 'boolean', default: false },
    },
  });
  const [minutes, rounds, seed] = [values.minutes, values.rounds, values.seed].map(Number);
  if (values.help || !(Number(minutes) > 0) || !(Number(rounds) >= 1) || Number.isNaN(seed)) {
    console.error(USAGE);
    return values.help ? 0 : 64;
  }
  const catalog = await RunningCatalog.start();
  try {
    const random = randomNumbers(seed ?? 1);
    const holds = values.day
      ? await dayHolds(catalog, random, minutes ?? 10)
      : await uploadsHold(catalog, random, rounds ?? 3);
    console.log(holds ? 'HOLDS' : 'DOES NOT HOLD');
    return holds ? 0 : 1;
  } finally {
    await catalog.stop();
  }
}

async function uploadsHold(catalog: RunningCatalog, random: () => number, rounds: number): Promise<boolean> {
  const picture = await noisePicture(random, UPLOAD_BYTES);
  await streamUpload(catalog, await noisePicture(random, MB));
  const idle = catalog.rss();
  console.log(`${UPLOADS} concurrent uploads of a JPEG of ${mb(picture.length)}; idle: ${mb(idle)}`);
  const growths: number[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    catalog.forgetPeakRss();
    const start = performance.now();
    const statuses = await Promise.all(
      Array.from({ length: UPLOADS }, async () => await streamUpload(catalog, picture)),
    );
    if (statuses.some((status) => status !== 201)) throw new Error(`Uploads answer ${statuses.join(' ')}`);
    growths.push(catalog.peakRss() - idle);
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    console.log(
      `round ${round}: at most ${mb(catalog.peakRss() - idle)} above idle, ${mb(catalog.rss() - idle)} after; ${seconds} s`,
    );
  }
  return Math.max(...growths) < MAX_GROWTH_BYTES;
}

/** A JPEG of noise that has about so many bytes and has to be decoded for all of them. */
async function noisePicture(random: () => number, bytes: number): Promise<Buffer> {
  const BYTES_PER_PIXEL = 1.03; // What noise takes at this quality.
  const [width, height] = [4000, Math.round(bytes / BYTES_PER_PIXEL / 4000)];
  const pixels = Buffer.alloc(width * height * 3);
  for (let at = 0; at < pixels.length; at += 1) pixels[at] = Math.floor(random() * 256);
  return await sharp(pixels, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 95 })
    .toBuffer();
}

const CLIENTS = 16;
const MAX_RELATIVE_GROWTH = 0.1;

async function dayHolds(catalog: RunningCatalog, random: () => number, minutes: number): Promise<boolean> {
  const day = new Day(catalog, random, await photos(random), minutes * 60_000);
  const [samples] = await Promise.all([day.sample(), ...Array.from({ length: CLIENTS }, () => day.work())]);
  const { requests } = day;
  // What the first requests load and what caches take has settled after a quarter of the time.
  const warm = median(samples.slice(Math.floor(samples.length * 0.25), Math.ceil(samples.length * 0.35)));
  const end = median(samples.slice(Math.floor(samples.length * 0.9)));
  const growth = end / warm - 1;
  console.log(
    `${requests} requests in ${minutes} minutes: ${(requests / 86_400).toFixed(1)} a second of a day`,
  );
  console.log(`answers: ${[...day.statuses].map(([status, count]) => `${status} × ${count}`).join(', ')}`);
  console.log(
    `RSS ${mb(warm)} after warm-up, ${mb(end)} at the end: ${(growth * 100).toFixed(1)} %; at most ${mb(Math.max(...samples))}`,
  );
  return growth < MAX_RELATIVE_GROWTH;
}

const SIDES = [128, 320, 640, 1080];

/** What clients of a catalog do all day: mostly looking, sometimes adding and removing. */
class Day {
  requests = 0;
  readonly statuses = new Map<number, number>();
  private readonly ids: number[] = [];
  private readonly end: number;
  private readonly authorization: string;

  constructor(
    private readonly catalog: RunningCatalog,
    private readonly random: () => number,
    private readonly pictures: readonly Buffer[],
    private readonly durationMs: number,
  ) {
    this.end = performance.now() + durationMs;
    this.authorization = catalog.bearer;
  }

  async work(): Promise<void> {
    while (performance.now() < this.end) {
      const status = await this.one();
      this.requests += 1;
      this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
      if (status >= 500 && status !== 503) throw new Error(`An answer of ${status}`);
    }
  }

  /** RSS in bytes, 200 times over the day. */
  async sample(): Promise<readonly number[]> {
    const samples: number[] = [];
    while (performance.now() < this.end) {
      samples.push(this.catalog.rss());
      if (samples.length % 20 === 0) console.log(`  ${samples.length / 2} %: ${mb(samples.at(-1) ?? 0)}`);
      await delay(this.durationMs / 200);
    }
    return samples;
  }

  private async one(): Promise<number> {
    const choice = this.random();
    const id = this.ids[Math.floor(this.random() * this.ids.length)];
    if (id === undefined || choice < 0.06) return await this.upload();
    if (choice < 0.1) return await this.remove();
    if (choice < 0.35) return await this.get(`api/image/${id}/file?width=${this.anyOf(SIDES)}&format=webp`);
    if (choice < 0.55) return await this.get(`api/image/${id}/file`);
    if (choice < 0.7) return await this.get(`api/image/${id}`);
    if (choice < 0.9) return await this.get(`api/images?limit=${Math.ceil(this.random() * 100)}`);
    if (choice < 0.93) return await this.get('api/images');
    return await this.get(`api/image/${id}/file?width=5`);
  }

  private async upload(): Promise<number> {
    const form = new FormData();
    form.append('file', new Blob([new Uint8Array(this.anyOf(this.pictures))]), 'photo.jpg');
    const response = await this.fetch('api/upload', { method: 'POST', body: form });
    const { id } = (await response.json()) as { id?: number };
    if (id !== undefined) this.ids.push(id);
    return response.status;
  }

  /** Keeps the catalog at some hundred images. */
  private async remove(): Promise<number> {
    if (this.ids.length < 300) return await this.upload();
    const id = this.ids.shift();
    return (await this.fetch(`api/image/${id}`, { method: 'DELETE' })).status;
  }

  private async get(path: string): Promise<number> {
    const response = await this.fetch(path);
    await response.arrayBuffer();
    return response.status;
  }

  private async fetch(path: string, init: RequestInit = {}): Promise<Response> {
    return await fetch(new URL(path, this.catalog.url), {
      ...init,
      headers: { authorization: this.authorization },
    });
  }

  private anyOf<T>(values: readonly T[]): T {
    return values[Math.floor(this.random() * values.length)] as T;
  }
}

async function photos(random: () => number): Promise<readonly Buffer[]> {
  const pictures: Buffer[] = [];
  for (const bytes of [0.1, 0.3, 0.6, 1.2]) pictures.push(await noisePicture(random, bytes * MB));
  return pictures;
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}

function mb(bytes: number): string {
  return `${(bytes / MB).toFixed(0)} MB`;
}

// Below the class that it uses.
process.exitCode = await main();
