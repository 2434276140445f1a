import Koa, { type Context } from 'koa';
import { errorResponse } from './error-response.ts';
import { pathNotFound } from './middleware/refuse-unrouted.ts';
import { type ApiDescription, serveDescription } from './openapi/api-description.ts';
import type { MetricsText } from './telemetry.ts';

/** Rejects or throws if the dependency cannot be used. */
export type ReadinessCheck = () => Promise<void>;

export interface ManagementOptions {
  readonly checks: Readonly<Record<string, ReadinessCheck>>;
  readonly metrics: MetricsText;
  readonly description: ApiDescription;
}

/** Needs no token, so it has a listener of its own. */
export function createManagementApp({ checks, metrics, description }: ManagementOptions): Koa {
  const routes: Readonly<Record<string, (ctx: Context) => Promise<void>>> = {
    '/livez': async (ctx) => {
      ctx.body = { status: 'ok' };
    },
    '/readyz': async (ctx) => {
      const results = await runChecks(checks);
      const ready = Object.values(results).every((result) => result === 'ok');
      ctx.status = ready ? 200 : 503;
      ctx.body = { status: ready ? 'ok' : 'unavailable', checks: results };
    },
    '/openapi.json': async (ctx) => serveDescription(ctx, description),
    '/metrics': async (ctx) => {
      ctx.type = metrics.contentType;
      ctx.body = await metrics.text();
    },
  };
  const app = new Koa();
  app.use(async (ctx) => {
    const route = ctx.method === 'GET' || ctx.method === 'HEAD' ? routes[ctx.path] : undefined;
    if (route !== undefined) return await route(ctx);
    const { status, body } = errorResponse(pathNotFound());
    ctx.status = status;
    ctx.body = body;
  });
  return app;
}

async function runChecks(checks: ManagementOptions['checks']): Promise<Record<string, 'ok' | 'unavailable'>> {
  const results = Object.entries(checks).map(
    async ([name, check]) => [name, await outcomeOf(check)] as const,
  );
  return Object.fromEntries(await Promise.all(results));
}

async function outcomeOf(check: ReadinessCheck): Promise<'ok' | 'unavailable'> {
  try {
    await check();
    return 'ok';
  } catch {
    return 'unavailable';
  }
}
