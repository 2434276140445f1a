import { createHash } from 'node:crypto';
import type { Context } from 'koa';

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.45 system-ui, sans-serif; }
body { max-width: 24rem; margin: 15vh auto 0; padding: 0 16px; }
h1 { font-size: 20px; }
button { min-height: 44px; width: 100%; border: 0; border-radius: 6px; font: inherit; font-weight: 600; color: #fff; background: #1f5fd0; }
button:focus-visible { outline: 2px solid; outline-offset: 2px; }
`;
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/** Responds with a small page; `main` is HTML without any text of the request. The status is the caller's. */
export function showPage(ctx: Context, title: string, main: string): void {
  ctx.set('Cache-Control', 'no-store');
  // No form-action: Chromium applies it to the redirects behind the form too, and the last of them leaves this origin.
  ctx.set(
    'Content-Security-Policy',
    `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; img-src data:; base-uri 'none'; frame-ancestors 'none'`,
  );
  ctx.type = 'html';
  ctx.body = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<link rel="icon" href="data:,">
<title>${title}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${main}
</main>
</body>
</html>
`;
}

/** Makes text fit for an element's content. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
