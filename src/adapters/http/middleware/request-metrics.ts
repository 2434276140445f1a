import type { Context, Middleware } from 'koa';
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';

export class RequestMetrics {
  readonly registry = new Registry();
  private readonly duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the arrival of a request to the end of its response',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [this.registry],
  });

  constructor() {
    collectDefaultMetrics({ register: this.registry });
  }

  middleware(): Middleware {
    return async (ctx, next) => {
      const start = performance.now();
      ctx.res.once('close', () => {
        this.duration.observe(
          { method: ctx.method, route: routeOf(ctx), status: ctx.res.statusCode },
          (performance.now() - start) / 1000,
        );
      });
      await next();
    };
  }
}

/** Not the path, because each value of a label occupies memory forever. */
function routeOf(ctx: Context & { readonly _matchedRoute?: unknown }): string {
  return typeof ctx._matchedRoute === 'string' ? ctx._matchedRoute : 'none';
}
