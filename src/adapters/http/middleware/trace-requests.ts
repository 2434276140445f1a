import type { Middleware } from 'koa';
import type { RequestTracer } from '../telemetry/http-telemetry.ts';
import { parseTraceParent } from '../telemetry/trace-parent.ts';
import { endOf } from './report-requests.ts';
import type { RouteTable } from './route-table.ts';

export function traceRequests(tracer: RequestTracer, table: RouteTable): Middleware {
  return async (ctx, next) => {
    const parent = parseTraceParent(ctx.get('traceparent'));
    await tracer.request({ method: ctx.method, parent }, async (span) => {
      ctx.state.traceId = span.traceId;
      ctx.res.once('close', () => span.end({ ...endOf(ctx, table), code: ctx.state.errorCode }));
      await next();
    });
  };
}
