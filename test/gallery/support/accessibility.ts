import axe from 'axe-core';
import { expect } from 'chai';
import type { Page } from 'playwright-core';

/** Characters of an element, and of what is wrong with it, that a message shows. */
const MOST = 150;

interface Violation {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

/**
 * axe finds nothing, in light and in dark.
 *
 * @param exceptions ids of rules that do not count
 */
export async function expectAccessible(
  page: Page,
  view: string,
  exceptions: readonly string[] = [],
): Promise<void> {
  const rules = Object.fromEntries(exceptions.map((id) => [id, { enabled: false }]));
  const options = JSON.stringify({ resultTypes: ['violations'], rules });
  // As an expression of the debugger: the Content-Security-Policy refuses a script element.
  await page.evaluate(axe.source);
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.evaluate(FINISH_TRANSITIONS);
    const violations = (await page.evaluate(
      `axe.run(document, ${options}).then(({ violations }) => violations)`,
    )) as readonly Violation[];
    expect(violations.flatMap(describeViolation), `axe on ${view}, ${colorScheme}`).to.deep.equal([]);
  }
}

/** Two frames for what follows the colours; then their transitions end: nobody reads what is between. Endless ones stay. */
const FINISH_TRANSITIONS = `(async () => {
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  for (const animation of document.getAnimations()) {
    if (Number.isFinite(animation.effect?.getComputedTiming().endTime ?? Infinity)) animation.finish();
  }
})()`;

function describeViolation({ id, help, nodes }: Violation): readonly string[] {
  return nodes.map(
    ({ html, failureSummary = '' }) =>
      `${id}: ${help}: ${html.slice(0, MOST)}: ${failureSummary.slice(0, MOST)}`,
  );
}
