import type Koa from 'koa';
import type { Context, Middleware, Next } from 'koa';
import type { OpenPage } from '../../application/links/open-page.ts';
import { createListenerApp, type ListenerAppOptions } from './create-listener-app.ts';
import { RequestError } from './errors/request-error.ts';
import { LINK_HEADERS } from './links/serve-link.ts';
import { pathNotFound } from './middleware/refuse-unrouted.ts';
import type { RouteTable } from './middleware/report-requests.ts';
import { respondToErrors } from './middleware/respond-to-errors.ts';
import type { PageLinks } from './page/page-view.ts';
import { explainErrors, PAGE_HEADERS, type PagePolicies, servePage } from './page/serve-page.ts';
import { serveWebFile, type WebFile, webFile } from './response/web-file.ts';
import { type ApiDescription, serveDescription } from './service/api-description.ts';
import { TICKET_HEADERS } from './tickets/take-ticket.ts';
import type { WebFiles } from './web/read-web-files.ts';
import {
  type PagePolicy,
  pagePolicy,
  publicSettings,
  scriptlessPolicy,
  type WebSettings,
} from './web/web-settings.ts';

export interface WebAppOptions extends ListenerAppOptions {
  readonly files: WebFiles;
  readonly description: ApiDescription;
  /** Called when the service listens: earlier it may not know its ports. */
  readonly settings: () => WebSettings;
  /** Called for every path of the form `/d/<id>/<rendition>/<expiry>/<mac>`. */
  readonly serveLink: Middleware;
  /** Called for every path of the form `/n/<number>/<name>/<rendition>/<expiry>/<mac>`. */
  readonly serveNamedLink: Middleware;
  /** Called for `POST` and `OPTIONS` of every path of the form `/u/<ticket>`. */
  readonly takeTicket: Middleware;
  /** Pages to share. */
  readonly openPage: OpenPage;
  /** The widths of renditions in pixels, ascending. */
  readonly sizes: readonly number[];
}

/** Checks no token, so it serves the pages and, of the catalog, signed links only, and takes uploads by ticket. */
export function createWebApp(options: WebAppOptions): Koa {
  const routes = new WebRoutes(options);
  const app = createListenerApp(options, routes);
  app.use(prepareHeaders());
  app.use(explainPageErrors(options));
  app.use(respondToErrors(options.requireUsable));
  app.use(serveRoute(routes));
  return app;
}

const LINKS = /^\/[dn]\//;
const PAGES = '/s/';
const TICKETS = '/u/';

/** These are for errors. A route replaces what it has another value for. */
function prepareHeaders(): Middleware {
  return async (ctx, next) => {
    ctx.set({ 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' });
    if (LINKS.test(ctx.path)) ctx.set(LINK_HEADERS);
    if (ctx.path.startsWith(PAGES)) ctx.set(PAGE_HEADERS);
    if (ctx.path.startsWith(TICKETS)) ctx.set(TICKET_HEADERS);
    await next();
  };
}

function explainPageErrors(options: WebAppOptions): Middleware {
  const explain = explainErrors(pagePolicies(options));
  return async (ctx, next) => await (ctx.path.startsWith(PAGES) ? explain(ctx, next) : next());
}

function pagePolicies({ settings }: WebAppOptions): PagePolicies {
  return { policyOf: (styleSource) => scriptlessPolicy(settings().webUrl, styleSource) };
}

function serveRoute(routes: WebRoutes): Middleware {
  return async (ctx, next) => {
    const route = routes.find(ctx.path);
    if (route === undefined) throw pathNotFound();
    const { methods = READING } = route;
    if (!methods.includes(ctx.method)) throw methodNotAllowed(methods);
    await route.serve(ctx, next);
  };
}

function methodNotAllowed(methods: readonly string[]): RequestError {
  const allowed = methods.join(', ');
  return new RequestError('method_not_allowed', `The path knows ${allowed}`, { Allow: allowed });
}

const READING: readonly string[] = ['GET', 'HEAD'];

interface WebRoute {
  /** In metrics and traces, beside the routes of the API. */
  readonly name: string;
  /** `READING` by default. */
  readonly methods?: readonly string[];
  serve(ctx: Context, next: Next): unknown;
}

const LINK = /^\/d\/[^/]+\/[^/]+\/[^/]+\/[^/]+$/;
const NAMED_LINK = /^\/n\/[^/]+\/[^/]+\/[^/]+\/[^/]+\/[^/]+$/;
const TICKET = /^\/u\/[^/]+$/;
const PAGE = /^\/s\/[^/]+\/[^/]+\/[^/]+$/;

/** The build gives every file in this folder a name with a hash of its content. */
const HASHED = /\/assets\//;

const GALLERY = '/';

const IMMUTABLE = 'public, max-age=31536000, immutable';
const REVALIDATED = 'no-cache';

class WebRoutes implements RouteTable {
  private readonly byPath: ReadonlyMap<string, WebRoute>;
  private readonly signed: ReadonlyArray<readonly [pattern: RegExp, route: WebRoute]>;

  constructor(options: WebAppOptions) {
    const { files, description, settings, serveLink, serveNamedLink, takeTicket } = options;
    const pages = new Pages(settings);
    this.byPath = new Map<string, WebRoute>([
      ...[...files].map(([path, file]) => [path, fileRoute(path, file, pages)] as const),
      ['/config.json', { name: 'web:/config.json', serve: (ctx) => pages.serveConfig(ctx) }],
      ['/openapi.json', { name: 'web:/openapi.json', serve: (ctx) => serveDescription(ctx, description) }],
    ]);
    this.signed = [
      [LINK, { name: 'web:/d/:id/:rendition/:expiry/:mac', serve: serveLink }],
      [NAMED_LINK, { name: 'web:/n/:number/:name/:rendition/:expiry/:mac', serve: serveNamedLink }],
      [TICKET, { name: 'web:/u/:ticket', methods: ['POST', 'OPTIONS'], serve: takeTicket }],
      [PAGE, { name: 'web:/s/:payload/:expiry/:mac', serve: pageRoute(options) }],
    ];
  }

  get routes(): RouteTable['routes'] {
    const routes = [...this.byPath.values(), ...this.signed.map(([, route]) => route)];
    const byName = new Map(routes.map((route) => [route.name, route]));
    return [...byName.values()].flatMap(({ name, methods = READING }) =>
      methods.map((method) => ({ method, name })),
    );
  }

  nameOf(ctx: Context): string | undefined {
    return this.find(ctx.path)?.name;
  }

  find(path: string): WebRoute | undefined {
    return this.byPath.get(path) ?? this.signed.find(([pattern]) => pattern.test(path))?.[1];
  }
}

function pageRoute(options: WebAppOptions): Middleware {
  const { openPage, sizes, settings } = options;
  const links = (): PageLinks => ({ webUrl: settings().webUrl, sizes });
  return servePage({ openPage, links, ...pagePolicies(options) });
}

function fileRoute(path: string, file: WebFile, pages: Pages): WebRoute {
  if (HASHED.test(path)) {
    return { name: 'web:/*', serve: (ctx) => serveWebFile(ctx, file, { cacheControl: IMMUTABLE }) };
  }
  if (path === GALLERY) return { name: 'web:/', serve: (ctx) => pages.serveGallery(ctx, file) };
  return { name: `web:${path}`, serve: (ctx) => pages.serve(ctx, file) };
}

/** What depends on the settings of the service. */
class Pages {
  private config: WebFile | undefined;
  private policy: PagePolicy | undefined;

  constructor(private readonly settings: () => WebSettings) {}

  serveConfig(ctx: Context): void {
    this.config ??= configFile(this.settings());
    serveWebFile(ctx, this.config, { cacheControl: REVALIDATED });
  }

  /** Windows of other sites that the gallery opens can still be used; windows that open the gallery lose it. */
  serveGallery(ctx: Context, file: WebFile): void {
    ctx.set('Cross-Origin-Opener-Policy', 'same-origin-allow-popups');
    this.serve(ctx, file);
  }

  serve(ctx: Context, file: WebFile): void {
    if (!file.mediaType.startsWith('text/html')) {
      serveWebFile(ctx, file, { cacheControl: REVALIDATED });
      return;
    }
    this.policy ??= pagePolicy(this.settings());
    const { headers, tagSuffix } = this.policy;
    ctx.set(headers);
    serveWebFile(ctx, file, { cacheControl: REVALIDATED, tagSuffix });
  }
}

function configFile(settings: WebSettings): WebFile {
  return webFile(JSON_TYPE, Buffer.from(JSON.stringify(publicSettings(settings))));
}

const JSON_TYPE = 'application/json; charset=utf-8';
