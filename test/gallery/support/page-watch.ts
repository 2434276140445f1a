import { expect } from 'chai';
import type { BrowserContext, Page } from 'playwright-core';

const REPORT = '__reportToTest';

/** Everything that a page must not do: errors, refused content, and things that jump. */
export class PageWatch {
  readonly #faults: string[] = [];
  readonly #expected: RegExp[] = [];

  private constructor() {}

  /** Observes all pages of the context from their first script on. */
  static async of(context: BrowserContext): Promise<PageWatch> {
    const watch = new PageWatch();
    await context.exposeBinding(REPORT, (_source, fault: string) => watch.#faults.push(fault));
    await context.addInitScript(OBSERVE);
    context.on('page', (page) => watch.#observe(page));
    return watch;
  }

  /** A fault that the scenario causes on purpose, such as a refused upload in the console. */
  expectFault(pattern: RegExp): void {
    this.#expected.push(pattern);
  }

  /** What happened until now does not count. */
  forget(): void {
    this.#faults.length = 0;
  }

  /** @throws {AssertionError} with everything found since the last call */
  expectCalm(what: string): void {
    const faults = this.#faults
      .splice(0)
      .filter((fault) => !this.#expected.some((known) => known.test(fault)));
    expect(faults, `faults of ${what}`).to.deep.equal([]);
  }

  #observe(page: Page): void {
    page.on('pageerror', (error) => this.#faults.push(`page error: ${error.stack ?? error.message}`));
    page.on('console', (message) => {
      if (message.type() !== 'error' && message.type() !== 'warning') return;
      this.#faults.push(`console: ${message.text()} (${message.location().url})`);
    });
  }
}

/**
 * Runs in the page, as text: functions of the test would carry helpers of its loader with them.
 *
 * A person expects things to move for half a second after an input, says the browser. On a busy machine that is too short for
 * what an input leads to: it may as well take as many frames as the half second has on an idle one, after the input and after each
 * response to a request that was sent meanwhile. The feed of changes has responses when others do something, and one upload leads
 * to the next: behind them nothing moves.
 */
const OBSERVE = `
{
  const FRAMES = 30;
  let frames = FRAMES;
  let input = Infinity;
  let end = 0;
  const nextFrame = requestAnimationFrame;
  const count = () => {
    frames += 1;
    if (frames < FRAMES) nextFrame(count);
    else end = document.timeline.currentTime;
  };
  const restart = () => {
    if (frames >= FRAMES) nextFrame(count);
    frames = 0;
  };
  for (const type of ['keydown', 'pointerdown', 'resize']) {
    addEventListener(type, ({ timeStamp }) => {
      input = timeStamp;
      restart();
    }, true);
  }
  const follow = (responses) => {
    for (const { name, startTime } of responses) {
      const isLedTo = startTime >= input && (frames < FRAMES || startTime <= end);
      if (isLedTo && !/\\/api\\/(changes|upload)\\b/.test(name)) restart();
    }
  };
  const responses = new PerformanceObserver((list) => follow(list.getEntries()));
  responses.observe({ type: 'resource' });
  document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile, lineNumber }) => {
    const place = JSON.stringify({ violatedDirective, blockedURI, sourceFile, lineNumber });
    window.${REPORT}('Content-Security-Policy: ' + place);
  });
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries()) {
      follow(responses.takeRecords());
      if (hadRecentInput || frames < FRAMES) continue;
      const moved = sources.map(({ node, previousRect: from, currentRect: to }) => {
        const name = node instanceof Element ? node.cloneNode(false).outerHTML : String(node && node.nodeName);
        const box = ({ x, y, width, height }) => [x, y, width, height].map(Math.round).join(' ');
        return name + ' from ' + box(from) + ' to ' + box(to);
      });
      window.${REPORT}('layout shift of ' + value + ': ' + moved.join('; '));
    }
  }).observe({ type: 'layout-shift', buffered: true });
}`;
