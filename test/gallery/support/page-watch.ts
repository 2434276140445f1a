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

/** Runs in the page, as text: functions of the test would carry helpers of its loader with them. */
const OBSERVE = `
  document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile, lineNumber }) => {
    const place = JSON.stringify({ violatedDirective, blockedURI, sourceFile, lineNumber });
    window.${REPORT}('Content-Security-Policy: ' + place);
  });
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries()) {
      if (hadRecentInput) continue;
      const moved = sources.map(({ node, previousRect: from, currentRect: to }) => {
        const name = node instanceof Element ? node.cloneNode(false).outerHTML : String(node && node.nodeName);
        const box = ({ x, y, width, height }) => [x, y, width, height].map(Math.round).join(' ');
        return name + ' from ' + box(from) + ' to ' + box(to);
      });
      window.${REPORT}('layout shift of ' + value + ': ' + moved.join('; '));
    }
  }).observe({ type: 'layout-shift', buffered: true });
`;
