import { setTimeout as delay } from 'node:timers/promises';
import { randomNumbers } from '../../test/support/fixtures/random-numbers.ts';
import type { CatalogClient } from '../../test/support/http/catalog-client.ts';
import type { RunningCatalog } from '../../test/support/servers/running-catalog.ts';
import { InvalidRun } from '../support/measure.ts';
import { noisePicture } from '../support/noise-picture.ts';
import type { Note, Outcome, Scenario } from '../support/scenario.ts';
import { median } from '../support/statistics.ts';
import { withCatalog } from '../support/with-catalog.ts';
import type { Workbench } from '../support/workbench.ts';

const MB = 1e6;
const CLIENTS = 16;
const PHOTO_BYTES = [0.1 * MB, 0.3 * MB, 0.6 * MB, 1.2 * MB];
const RENDITION_WIDTHS = [128, 320, 640, 1080];
const MAX_IMAGES = 300;
const SAMPLES = 200;
const MAX_RELATIVE_RSS = 1.1;

/** Mixed requests for `--minutes`: memory must not grow after the warm-up. */
export const soak: Scenario = {
  name: 'soak',
  isQuick: false,
  run: (bench) => withCatalog((catalog) => run(bench, catalog)),
};

async function run({ options: { seed, minutes } }: Workbench, catalog: RunningCatalog): Promise<Outcome> {
  const random = randomNumbers(seed);
  const photos: Buffer[] = [];
  for (const bytes of PHOTO_BYTES) photos.push(await noisePicture(random, bytes));
  const traffic = new MixedTraffic(catalog.client(), random, photos, minutes * 60_000);
  const clients = Array.from({ length: CLIENTS }, () => traffic.run());
  const [samples] = await Promise.all([traffic.sample(() => catalog.rss()), ...clients]);
  // Modules and caches have settled after a quarter of the time.
  const warm = median(samples.slice(Math.floor(samples.length * 0.25), Math.ceil(samples.length * 0.35)));
  const end = median(samples.slice(Math.floor(samples.length * 0.9)));
  const target = MAX_RELATIVE_RSS;
  const what = 'soak: RSS at the end to RSS after the warm-up';
  return {
    checks: [{ what, measured: end / warm, bound: 'at most', target, limit: target }],
    notes: [
      { what: 'soak: RSS after the warm-up', measured: warm / MB, unit: 'MB' },
      { what: 'soak: highest RSS', measured: Math.max(...samples) / MB, unit: 'MB' },
      ...traffic.notes(),
    ],
  };
}

/** Requests of clients that mostly read, and sometimes upload and delete. */
class MixedTraffic {
  readonly #statuses = new Map<number, number>();
  readonly #ids: number[] = [];
  readonly #end: number;

  constructor(
    private readonly client: CatalogClient,
    private readonly random: () => number,
    private readonly photos: readonly Buffer[],
    private readonly durationMs: number,
  ) {
    this.#end = performance.now() + durationMs;
  }

  /** One client: sends one request after the other. */
  async run(): Promise<void> {
    while (performance.now() < this.#end) {
      const { status } = await this.#request();
      this.#statuses.set(status, (this.#statuses.get(status) ?? 0) + 1);
      if (status >= 500 && status !== 503) throw new InvalidRun('soak', [`a response of ${status}`]);
    }
  }

  /** Values at regular intervals. */
  async sample(read: () => number): Promise<readonly number[]> {
    const samples: number[] = [];
    while (performance.now() < this.#end) {
      samples.push(read());
      await delay(this.durationMs / SAMPLES);
    }
    return samples;
  }

  notes(): readonly Note[] {
    return [...this.#statuses].map(([status, count]) => ({
      what: `soak: responses of ${status}`,
      measured: count,
      unit: 'responses',
    }));
  }

  async #request(): Promise<Response> {
    const choice = this.random();
    const id = this.#ids[Math.floor(this.random() * this.#ids.length)];
    if (id === undefined || choice < 0.06) return await this.#upload();
    if (choice < 0.1) return await this.#deleteOldest();
    const response = await this.#read(id, choice);
    await response.arrayBuffer();
    return response;
  }

  async #read(id: number, choice: number): Promise<Response> {
    const { client } = this;
    if (choice < 0.35) return await client.file(id, `?width=${this.#anyOf(RENDITION_WIDTHS)}&format=webp`);
    if (choice < 0.55) return await client.file(id);
    if (choice < 0.7) return await client.get(id);
    if (choice < 0.9) return await client.read(`api/images?limit=${Math.ceil(this.random() * 100)}`);
    if (choice < 0.93) return await client.read('api/images');
    return await client.file(id, '?width=5'); // Not an allowed width.
  }

  async #upload(): Promise<Response> {
    const response = await this.client.upload(new Uint8Array(this.#anyOf(this.photos)), 'photo.jpg');
    const { id } = (await response.json()) as { id?: number };
    if (id !== undefined) this.#ids.push(id);
    return response;
  }

  /** Uploads instead while the catalog is small. */
  async #deleteOldest(): Promise<Response> {
    if (this.#ids.length < MAX_IMAGES) return await this.#upload();
    return await this.client.delete(this.#ids.shift() ?? 0);
  }

  #anyOf<T>(values: readonly T[]): T {
    return values[Math.floor(this.random() * values.length)] as T;
  }
}
