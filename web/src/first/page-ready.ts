/** A style sheet that does not come keeps the page white: the browser paints nothing before. */
const LONGEST_WAIT_MS = 3000;

/**
 * Resolves when the page is parsed, and its style sheet is there, has failed, or takes too long.
 *
 * @returns what holds the page
 */
export async function pageReady(): Promise<Element> {
  if (document.readyState === 'loading') await eventOf(document, 'DOMContentLoaded');
  const link = document.querySelector<HTMLLinkElement>('link[rel=stylesheet]');
  if (link?.sheet === null) await styled(link);
  const root = document.getElementById('root');
  if (root === null) throw new TypeError('index.html has no #root');
  return root;
}

async function styled(link: HTMLLinkElement): Promise<void> {
  await Promise.race([
    eventOf(link, 'load'),
    eventOf(link, 'error'),
    new Promise((resolve) => setTimeout(resolve, LONGEST_WAIT_MS)),
  ]);
  // Tried once more, by a link that the browser does not wait for.
  if (link.sheet === null) link.replaceWith(link.cloneNode());
}

async function eventOf(target: EventTarget, type: string): Promise<void> {
  await new Promise((resolve) => target.addEventListener(type, resolve, { once: true }));
}
