import type { Middleware } from 'koa';
import type { Logger } from 'pino';
import type { UuidGenerator } from '../../../domain/ports/process/uuid-generator.ts';
import { parseTraceParent } from '../telemetry/trace-parent.ts';

declare module 'koa' {
  interface DefaultState {
    log: Logger;
    /** Set before, if traces are recorded. */
    traceId?: string;
  }
}

/** Safe in headers and logs. */
const ACCEPTABLE = /^[A-Za-z0-9._-]{1,128}$/;

/** `ctx.state.log` has the ids of the request; what writes lines for the request gets it as a parameter. */
export function identifyRequest(log: Logger, uuids: UuidGenerator): Middleware {
  return async (ctx, next) => {
    const sent = ctx.get('X-Request-Id');
    const requestId = ACCEPTABLE.test(sent) ? sent : uuids.next();
    const parent = ctx.get('traceparent');
    const sentTrace = ctx.state.traceId ?? (parent === '' ? undefined : parseTraceParent(parent)?.traceId);
    // A UUID is random enough (W3C Trace Context, level 2, section 2.2.2.3).
    const traceId = sentTrace ?? uuids.next().replaceAll('-', '');
    ctx.state.log = log.child({ requestId, traceId });
    ctx.set('X-Request-Id', requestId);
    await next();
  };
}
