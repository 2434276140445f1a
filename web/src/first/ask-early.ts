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
