import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { openSqliteDatabase } from '../../src/adapters/sql/sqlite/open-sqlite-database.ts';
import { makePictures } from '../../test/gallery/support/gallery-pictures.ts';
import { GalleryServers } from '../../test/gallery/support/gallery-servers.ts';
import { uploadedId } from '../../test/support/http/catalog-client.ts';
import { anyTimeOfTwentyYears, fillCatalog, type TakenMsOf } from '../support/fill-catalog.ts';
import { GalleryMeter } from '../support/gallery-meter.ts';
import type { Check, Outcome, Scenario } from '../support/scenario.ts';
import { median } from '../support/statistics.ts';
import type { Workbench } from '../support/workbench.ts';

const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
const SIZE = 100_000;
const FULL_SIZE = 1_000_000;
/** More than fit into the first view. */
const UPLOADED = 40;
const WARM_UP_SCROLLS = 8;
const FULL_SCROLLS = 10;
const DESKTOP = { width: 1280, height: 800 };
const LARGE = { width: 2560, height: 1440 };
const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 3, isMobile: true, hasTouch: true };
/** Its scripts are those of every view; it has no pictures. */
const EMPTY_VIEW = '?q=nothing';

const DAY = Date.UTC(2020, 6, 1);
const MS_PER_DAY = 86_400_000;

/** Timelines that are not like those of people, and have broken other galleries. */
const SHAPES: Readonly<Record<string, TakenMsOf>> = {
  'one-day': (id) => DAY + ((id * 7_919) % MS_PER_DAY),
  // Half of a hundred thousand.
  'one-month': (id) =>
    id % 2 === 0 ? DAY + ((id * 7_919_003) % (30 * MS_PER_DAY)) : anyTimeOfTwentyYears(id),
  'one-timestamp': (id) => (id % 10 === 0 ? DAY : anyTimeOfTwentyYears(id)),
};

/** The gallery in Chromium, on catalogs of synthetic records. Only the first pictures have bytes. */
export const GALLERY_SCENARIOS: readonly Scenario[] = [
  galleryOf('gallery', anyTimeOfTwentyYears),
  ...Object.entries(SHAPES).map(([shape, takenMsOf]) => galleryOf(`gallery-${shape}`, takenMsOf)),
];

function galleryOf(name: string, takenMsOf: TakenMsOf): Scenario {
  return {
    name,
    isQuick: false,
    isAvailable: () => existsSync(CHROMIUM),
    run: async (bench) => {
      const folder = await bench.makeFolder(name);
      await fillCatalog(folder, bench.options.full ? FULL_SIZE : SIZE, { takenMsOf });
      await giveShapes(folder);
      const servers = await GalleryServers.start({ env: { DATABASE_URL: databaseUrl(folder) } });
      try {
        await uploadFirst(servers);
        return await measureAll(bench, servers);
      } finally {
        await servers.stop();
      }
    },
  };
}

function databaseUrl(folder: string): string {
  return `sqlite:${join(folder, 'catalog.sqlite')}`;
}

/** Landscapes, squares, portraits and panoramas: rows of equal pictures would be too easy. */
async function giveShapes(folder: string): Promise<void> {
  const database = openSqliteDatabase(join(folder, 'catalog.sqlite'));
  try {
    await database.raw(`update images set
      width = case id % 7 when 0 then 3000 when 1 then 3000 when 2 then 6000 else 4000 end,
      height = case id % 7 when 0 then 4000 when 1 then 3000 when 2 then 2000 when 3 then 2250 else 3000 end`);
  } finally {
    await database.destroy();
  }
}

/** Pictures that are newer than all others. */
async function uploadFirst(servers: GalleryServers): Promise<void> {
  const client = await servers.client();
  const takenAt = new Date(Date.now() + 86_400_000).toISOString();
  for (const { name, buffer } of await makePictures(UPLOADED)) {
    const id = uploadedId(await client.upload(Uint8Array.from(buffer), name));
    await client.patch(id, { takenAt });
  }
}

async function measureAll(bench: Workbench, servers: GalleryServers): Promise<Outcome> {
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--enable-precise-memory-info', '--js-flags=--expose-gc'],
  });
  try {
    const firstPictures: number[] = [];
    for (let round = 0; round < bench.options.rounds; round += 1) {
      firstPictures.push(await withGallery(browser, servers, (meter) => meter.firstPictureMs()));
    }
    const slowMs = await firstPictureOfSlowPhone(browser, servers, bench.options.rounds);
    const use = await withGallery(browser, servers, (meter) => measureUse(meter, browser));
    const largeNodes = await withGallery(browser, servers, nodesOnLargeScreen);
    return {
      checks: [
        ms('first picture after sign-in', median(firstPictures), 1000),
        ms('first picture with the token and scripts, on a slow phone', slowMs, 4000),
        ...use.checks,
        { what: 'nodes of the grid at 2560 px', measured: largeNodes, bound: 'at most', target: 300 },
      ],
      notes: use.notes,
    };
  } finally {
    await browser.close();
  }
}

/** At 400 kbit/s, 400 ms and a fourth of the CPU. The tab has its token from the beginning. */
async function firstPictureOfSlowPhone(
  browser: Browser,
  { url }: GalleryServers,
  rounds: number,
): Promise<number> {
  const firstPictures: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const context = await browser.newContext(PHONE);
    try {
      const page = await context.newPage();
      const meter = await GalleryMeter.signedIn(page, url + EMPTY_VIEW);
      await page.getByRole('button', { name: 'Clear filters' }).waitFor();
      await meter.slowDown();
      await page.goto(url);
      firstPictures.push(await meter.firstPictureMs());
    } finally {
      await context.close();
    }
  }
  return median(firstPictures);
}

async function withGallery<T>(
  browser: Browser,
  servers: GalleryServers,
  measure: (meter: GalleryMeter, page: Page) => Promise<T>,
): Promise<T> {
  const context = await browser.newContext({ viewport: DESKTOP });
  try {
    const page = await context.newPage();
    const meter = await GalleryMeter.signedIn(page, servers.url);
    return await measure(meter, page);
  } finally {
    await context.close();
  }
}

async function measureUse(
  meter: GalleryMeter,
  browser: Browser,
): Promise<Required<Pick<Outcome, 'checks' | 'notes'>>> {
  await meter.firstPictureMs();
  await meter.drawSynthetic();
  await meter.beginTasks();
  const oldestMs = await meter.dragToOldest();
  // Until all caches are full.
  for (let scroll = 0; scroll < WARM_UP_SCROLLS; scroll += 1) await meter.scrollThrough();
  const heapBefore = await meter.heapBytes();
  const scrolls: number[] = [];
  for (let scroll = 0; scroll < FULL_SCROLLS; scroll += 1) scrolls.push(await meter.scrollThrough());
  const heapAfter = await meter.heapBytes();
  const longestTaskCpuMs = await meter.longestTaskCpuMs(browser);
  const { longestTaskMs, shift, mostNodes } = await meter.results();
  return {
    checks: [
      ms('oldest picture after one drag', oldestMs, 1000),
      { ...ms('longest task', longestTaskMs, 50), limit: 500 },
      ms('longest task: CPU', longestTaskCpuMs, 50),
      { what: 'nodes of the grid', measured: mostNodes, bound: 'at most', target: 300 },
      {
        what: `heap after ${FULL_SCROLLS} full scrolls to heap before`,
        measured: heapAfter / heapBefore,
        bound: 'at most',
        target: 1.1,
        limit: 1.3,
      },
      { what: 'cumulative layout shift', measured: shift, bound: 'exactly', target: 0 },
    ],
    notes: [
      { what: 'heap', measured: heapAfter / 1e6, unit: 'MB' },
      { what: 'a full scroll there and back', measured: median(scrolls), unit: 'ms' },
    ],
  };
}

async function nodesOnLargeScreen(meter: GalleryMeter, page: Page): Promise<number> {
  await meter.drawSynthetic();
  await page.setViewportSize(LARGE);
  await meter.beginTasks();
  await meter.scrollThrough();
  return (await meter.results()).mostNodes;
}

function ms(what: string, measured: number, target: number): Check {
  return { what, measured, bound: 'at most', target, unit: 'ms' };
}
