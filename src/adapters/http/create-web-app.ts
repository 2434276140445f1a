import Router from '@koa/router';
import type Koa from 'koa';
import type { Middleware } from 'koa';
import { createListenerApp, type ListenerAppOptions } from './create-listener-app.ts';
import { LINK_HEADERS, serveLink } from './links/serve-link.ts';
import { serveNamedLink } from './links/serve-named-link.ts';
import { servePublicName } from './links/serve-public-name.ts';
import { refuseUnrouted } from './middleware/refuse-unrouted.ts';
import { respondToErrors } from './middleware/respond-to-errors.ts';
import { routeTableOf } from './middleware/route-table.ts';
import { explainErrors, PAGE_HEADERS, servePage } from './page/serve-page.ts';
import type { RouteParts } from './route/route-parts.ts';
import { takeTicket } from './tickets/take-ticket.ts';
import { addWebFiles } from './web/add-web-files.ts';
import type { WebFiles } from './web/read-web-files.ts';

/** Every response to a ticket has them, errors too: pages of all origins may upload. */
const TICKET_HEADERS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'Idempotency-Replayed, Retry-After, X-Request-Id',
} as const;

export interface WebAppOptions extends ListenerAppOptions {
  readonly files: WebFiles;
  readonly parts: RouteParts;
  /** The public addresses, with a slash at their ends. Called when the service listens: earlier it may not know its ports. */
  readonly apiUrl: () => string;
  readonly webUrl: () => string;
}

/** Checks no token, so it serves the pages and, of the catalog, signed links and public names only, and takes uploads by ticket. */
export function createWebApp(options: WebAppOptions): Koa {
  const router = createRouter(options);
  const app = createListenerApp(options, routeTableOf(router, 'web:'));
  app.use(prepareHeaders());
  app.use(explainPageErrors(options));
  app.use(respondToErrors(options.requireUsable));
  app.use(router.routes());
  app.use(refuseUnrouted());
  return app;
}

function createRouter(options: WebAppOptions): Router {
  const { parts, webUrl } = options;
  const router = new Router({ strict: true, sensitive: true });
  router.get('/d/:id/:rendition/:expiry/:mac', serveLink(parts));
  router.get('/n/:number/:name/:rendition/:expiry/:mac', serveNamedLink(parts));
  if (parts.settings.publishNames) router.get('/p/:number/:name', servePublicName(parts));
  router.get('/s/:payload/:expiry/:mac', servePage({ ...parts, webUrl }));
  router.register('/u/:ticket', ['POST', 'OPTIONS'], takeTicket(parts));
  addWebFiles(router, options);
  return router;
}

const PAGES = '/s/';

/** By the begin of the path: of every response, errors too. */
const HEADERS: ReadonlyArray<readonly [begin: string, headers: Readonly<Record<string, string>>]> = [
  // A route replaces what it has another value for.
  ['/', { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' }],
  ['/d/', LINK_HEADERS],
  ['/n/', LINK_HEADERS],
  ['/p/', LINK_HEADERS],
  [PAGES, PAGE_HEADERS],
  ['/u/', TICKET_HEADERS],
];

function prepareHeaders(): Middleware {
  return async (ctx, next) => {
    for (const [begin, headers] of HEADERS) if (ctx.path.startsWith(begin)) ctx.set(headers);
    await next();
  };
}

function explainPageErrors({ parts: { settings }, webUrl }: WebAppOptions): Middleware {
  const explain = explainErrors({ settings, webUrl });
  return async (ctx, next) => await (ctx.path.startsWith(PAGES) ? explain(ctx, next) : next());
}
