/** As long as the sentence of the style sheet takes. */
const LONGEST_WAIT_MS = 8000;

// Neither the style sheet nor the script of the page comes: the browser would keep it white. It does not wait for the link of a
// script, and without styles the sentence is seen.
setTimeout(() => {
  const link = document.querySelector<HTMLLinkElement>('link[rel=stylesheet]');
  const isWhite = link?.sheet === null && performance.getEntriesByType('paint').length === 0;
  if (isWhite) link.replaceWith(link.cloneNode());
}, LONGEST_WAIT_MS);

/**
 * A small script of its own, the first of the page: a tab with a session asks for what the pictures need at once, and not after the
 * script of the page, which is forty times as long. `main.ts` has the same condition, and takes what has come.
 */
if (sessionStorage.length > 0) {
  // Of index.html. What signs in is only needed after a sign-in.
  const links = document.querySelectorAll<HTMLLinkElement>('link[rel=needed-next]:not([href*=oidc-sign-in])');
  for (const link of links) {
    // As `loadWithFiles` asks for it.
    if (link.as === 'script') link.as = 'fetch';
    link.rel = 'preload';
  }
}
