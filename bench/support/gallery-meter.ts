import type { Browser, CDPSession, Page } from 'playwright-core';

/** In a full scroll. */
const JUMPS = 20;
const WHEEL_TURNS = 30;
const SIGNED_LINK = /\/d\/\d+\//;
const DEADLINE_MS = 20_000;
/** 400 kbit/s in both directions. */
const SLOW_NETWORK = {
  offline: false,
  latency: 400,
  downloadThroughput: 50_000,
  uploadThroughput: 50_000,
};
const SLOW_CPU = 4;

interface Results {
  /** 50 if there was no longer one: browsers report none below. */
  readonly longestTaskMs: number;
  /** Cumulative. */
  readonly shift: number;
  readonly mostNodes: number;
}

/** Observes a page of the gallery, and moves about in it. */
export class GalleryMeter {
  private constructor(
    private readonly page: Page,
    private readonly cdp: CDPSession,
  ) {}

  /** Before the page is opened. */
  static async of(page: Page): Promise<GalleryMeter> {
    await page.addInitScript(OBSERVE);
    return new GalleryMeter(page, await page.context().newCDPSession(page));
  }

  static async signedIn(page: Page, url: string): Promise<GalleryMeter> {
    const meter = await GalleryMeter.of(page);
    await page.goto(url);
    await meter.signIn();
    return meter;
  }

  async signIn(): Promise<void> {
    await this.page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await this.page.getByRole('button', { name: 'Sign in as Demo' }).click();
  }

  /** As on a phone at the edge of its network. */
  async slowDown(): Promise<void> {
    await this.slowNetwork();
    await this.cdp.send('Emulation.setCPUThrottlingRate', { rate: SLOW_CPU });
  }

  async slowNetwork(): Promise<void> {
    await this.cdp.send('Network.enable');
    await this.cdp.send('Network.emulateNetworkConditions', SLOW_NETWORK);
  }

  /** From the moment at which the browser opens the page until it shows something. */
  async firstPaintMs(): Promise<number> {
    const entry = `performance.getEntriesByName('first-contentful-paint')[0].startTime`;
    return await this.page.evaluate<number>(entry);
  }

  /** Draws a grey picture for each link to a record without bytes. */
  async drawSynthetic(): Promise<void> {
    await this.page.route(SIGNED_LINK, async (route) => {
      await route.fulfill({ contentType: 'image/svg+xml', body: GREY });
    });
  }

  /** From the moment at which the browser opens the page, or leaves the provider, until a picture is drawn. */
  async firstPictureMs(): Promise<number> {
    await this.page.locator('.grid-picture[data-loaded]').first().waitFor({ timeout: DEADLINE_MS });
    return await this.page.evaluate<number>('window.meter.firstPictureMs');
  }

  /** Tasks, shifts and nodes count from now on. */
  async beginTasks(): Promise<void> {
    await this.page.evaluate('window.meter.begin()');
  }

  async results(): Promise<Results> {
    return await this.page.evaluate<Results>('window.meter.results()');
  }

  /** @returns ms from the release of the scrubber until the oldest picture of the catalog is there */
  async dragToOldest(): Promise<number> {
    const box = await this.page.getByRole('slider').boundingBox();
    if (box === null) throw new Error('There is no scrubber');
    const x = box.x + box.width / 2;
    await this.page.mouse.move(x, box.y + 20);
    await this.page.mouse.down();
    await this.page.mouse.move(x, box.y + box.height - 2, { steps: 20 });
    const begun = performance.now();
    await this.page.mouse.up();
    const count = await this.page.locator('.grid-cell').first().getAttribute('aria-setsize');
    const oldest = this.page.locator(`.grid-cell[aria-posinset="${count}"][aria-busy="false"]`);
    await oldest.waitFor({ timeout: DEADLINE_MS });
    return performance.now() - begun;
  }

  /** From the newest picture to the oldest and back. @returns ms */
  async scrollThrough(): Promise<number> {
    const begun = performance.now();
    await this.page.evaluate(`window.meter.scrollThrough(${JUMPS})`);
    return performance.now() - begun;
  }

  async wheel(): Promise<void> {
    await this.page.mouse.move(400, 400);
    for (let turn = 0; turn < WHEEL_TURNS; turn += 1) await this.page.mouse.wheel(0, 240);
  }

  /**
   * Of a full scroll and the wheel. The clock counts what other processes of the machine take, this does not.
   *
   * @returns ms of the longest task of the page
   */
  async longestTaskCpuMs(browser: Browser): Promise<number> {
    const cdp = await browser.newBrowserCDPSession();
    const events: TraceEvent[] = [];
    cdp.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown as TraceEvent[])));
    await cdp.send('Tracing.start', {
      traceConfig: { includedCategories: ['devtools.timeline', 'toplevel'] },
    });
    await this.scrollThrough();
    await this.wheel();
    const complete = new Promise((resolve) => cdp.once('Tracing.tracingComplete', resolve));
    await cdp.send('Tracing.end');
    await complete;
    await cdp.detach();
    return longestTask(events);
  }

  async heapBytes(): Promise<number> {
    await this.cdp.send('HeapProfiler.collectGarbage');
    const { usedSize } = await this.cdp.send('Runtime.getHeapUsage');
    return usedSize;
  }
}

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** µs of CPU. */
  readonly tdur?: number;
}

/** The page is the thread that handles the frames. */
function longestTask(events: readonly TraceEvent[]): number {
  const pages = new Set(
    events.filter(({ name }) => name === 'FireAnimationFrame').map(({ pid, tid }) => `${pid} ${tid}`),
  );
  const tasks = events.filter(({ name, pid, tid }) => name.endsWith('RunTask') && pages.has(`${pid} ${tid}`));
  if (tasks.length === 0) throw new Error('The trace has no tasks of the page');
  return Math.max(...tasks.map(({ tdur = 0 }) => tdur)) / 1000;
}

const GREY =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 3"><path fill="#888" d="M0 0h4v3H0z"/></svg>';

/** Runs in the page before its scripts, as text: functions would carry helpers of the loader with them. */
const OBSERVE = `
  (() => {
    let longest = 50, shift = 0, nodes = 0;
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    const count = () => { nodes = Math.max(nodes, document.querySelectorAll('.grid *').length); };
    const meter = {
      firstPictureMs: undefined,
      begin() { longest = 50; nodes = 0; },
      results: () => ({ longestTaskMs: longest, shift, mostNodes: nodes }),
      async scrollThrough(jumps) {
        const height = () => document.documentElement.scrollHeight - innerHeight;
        for (let jump = 0; jump <= 2 * jumps; jump += 1) {
          const fraction = jump <= jumps ? jump / jumps : 2 - jump / jumps;
          scrollTo(0, fraction * height());
          await frame();
          count();
          for (let step = 0; step < 2; step += 1) {
            scrollBy(0, 300);
            await frame();
            count();
          }
        }
      },
    };
    window.meter = meter;
    document.addEventListener('load', ({ target }) => {
      if (target instanceof HTMLImageElement && target.matches('.grid-picture')) meter.firstPictureMs ??= performance.now();
    }, true);
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) longest = Math.max(longest, duration);
    }).observe({ type: 'longtask' });
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) shift += value;
    }).observe({ type: 'layout-shift', buffered: true });
  })();
`;
