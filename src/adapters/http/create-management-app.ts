import Koa, { type Context } from 'koa';
import { errorResponse } from './errors/error-response.ts';
import { pathNotFound, RequestError } from './errors/request-error.ts';
import { serveWebFile } from './response/web-file.ts';
import type { RouteParts } from './route/route-parts.ts';
import { isLocalHost, isLoopback } from './service/is-local-host.ts';
import type { HttpMetrics } from './telemetry/http-telemetry.ts';

/** Rejects or throws if the dependency cannot be used. */
export type ReadinessCheck = () => Promise<void>;

export interface ManagementOptions extends Pick<RouteParts, 'description'> {
  readonly checks: Readonly<Record<string, ReadinessCheck>>;
  readonly metrics: HttpMetrics;
  /** The address of the listener. */
  readonly host: string | undefined;
}

/** Needs no token, so it has a listener of its own. */
export function createManagementApp(options: ManagementOptions): Koa {
  const routes = routesOf(options);
  const isLocal = isLoopback(options.host ?? '');
  const app = new Koa();
  app.use(async (ctx) => {
    const route = ctx.method === 'GET' || ctx.method === 'HEAD' ? routes[ctx.path] : undefined;
    if (isLocal && !isLocalHost(ctx.req.headers.host)) refuse(ctx, misdirected());
    else if (route === undefined) refuse(ctx, pathNotFound());
    else await route(ctx);
  });
  return app;
}

function refuse(ctx: Context, error: RequestError): void {
  const { status, body } = errorResponse(error);
  ctx.status = status;
  ctx.body = body;
}

function misdirected(): RequestError {
  return new RequestError('misdirected_request', 'This listener serves localhost and IP addresses only');
}

type Routes = Readonly<Record<string, (ctx: Context) => Promise<void>>>;

function routesOf({ checks, metrics, description }: ManagementOptions): Routes {
  return {
    '/livez': async (ctx) => {
      ctx.body = { status: 'ok' };
    },
    '/readyz': async (ctx) => {
      const results = await runChecks(checks);
      const ready = Object.values(results).every((result) => result === 'ok');
      ctx.status = ready ? 200 : 503;
      ctx.body = { status: ready ? 'ok' : 'unavailable', checks: results };
    },
    '/openapi.json': async (ctx) => serveWebFile(ctx, await description(), { cacheControl: 'no-cache' }),
    '/metrics': async (ctx) => {
      ctx.type = metrics.contentType;
      ctx.body = await metrics.text();
    },
  };
}

async function runChecks(checks: ManagementOptions['checks']): Promise<Record<string, 'ok' | 'unavailable'>> {
  const names = Object.keys(checks);
  const results = await Promise.allSettled(Object.values(checks).map(async (check) => await check()));
  return Object.fromEntries(
    results.map(({ status }, at) => [names[at], status === 'fulfilled' ? 'ok' : 'unavailable']),
  );
}
