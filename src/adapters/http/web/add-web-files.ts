import { createHash } from 'node:crypto';
import type Router from '@koa/router';
import type { Context } from 'koa';
import { pagePolicy } from '../response/content-security-policy.ts';
import { serveWebFile, type WebFile, webFile } from '../response/web-file.ts';
import type { RouteParts } from '../route/route-parts.ts';
import { publicSettings } from './public-settings.ts';
import type { WebFiles } from './read-web-files.ts';

interface WebFilesOptions {
  readonly files: WebFiles;
  readonly parts: Pick<RouteParts, 'settings' | 'description'>;
  /** The public addresses, with a slash at their ends. Known when the service listens. */
  readonly apiUrl: () => string;
  readonly webUrl: () => string;
}

/** The build gives every file in this folder a name with a hash of its content. */
const HASHED = /\/assets\//;

const IMMUTABLE = { cacheControl: 'public, max-age=31536000, immutable' };
const REVALIDATED = { cacheControl: 'no-cache' };

const GALLERY = '/';
const MANIFEST = '/manifest.webmanifest';

/** The routes of the gallery, and of what it asks the service at its start. */
export function addWebFiles(router: Router, options: WebFilesOptions): void {
  const { files, parts, apiUrl } = options;
  router.get('/config.json', (ctx) => {
    const settings = JSON.stringify(publicSettings(parts.settings, apiUrl()));
    serveWebFile(ctx, webFile('application/json; charset=utf-8', Buffer.from(settings)), REVALIDATED);
  });
  router.get('/openapi.json', async (ctx) => serveWebFile(ctx, await parts.description(), REVALIDATED));
  for (const [path, built] of files) {
    const file = path === MANIFEST ? namedManifest(built, parts.settings.web.title) : built;
    if (HASHED.test(path)) router.get('/*', path, (ctx) => serveWebFile(ctx, file, IMMUTABLE));
    else if (file.mediaType.startsWith('text/html')) router.get(path, (ctx) => servePage(ctx, file, options));
    else router.get(path, (ctx) => serveWebFile(ctx, file, REVALIDATED));
  }
}

/** Under this name the gallery is installed. */
function namedManifest(file: WebFile, title: string | undefined): WebFile {
  if (title === undefined) return file;
  const built = JSON.parse(file.variants.get('identity')?.bytes.toString() ?? '{}') as object;
  const named = { ...built, name: title, short_name: title };
  return webFile(file.mediaType, Buffer.from(JSON.stringify(named)));
}

function servePage(ctx: Context, file: WebFile, { parts, apiUrl, webUrl }: WebFilesOptions): void {
  const { idp, web } = parts.settings;
  const { connectOrigins } = web;
  const policy = pagePolicy({ apiUrl: apiUrl(), webUrl: webUrl(), idp, connectOrigins });
  ctx.set({ 'Content-Security-Policy': policy, 'Referrer-Policy': 'no-referrer' });
  // Windows of other sites that the gallery opens can still be used; windows that open the gallery lose it.
  if (ctx.path === GALLERY) ctx.set('Cross-Origin-Opener-Policy', 'same-origin-allow-popups');
  // A cache that keeps the page renews the policy with it.
  const tagSuffix = `-${createHash('sha256').update(policy).digest('hex').slice(0, 16)}`;
  serveWebFile(ctx, file, { ...REVALIDATED, tagSuffix });
}
