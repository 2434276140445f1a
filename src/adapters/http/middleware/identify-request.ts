import type { Context, Middleware } from 'koa';
import type { Logger } from 'pino';
import type { UuidGenerator } from '../../../domain/ports/uuid-generator.ts';
import { parseTraceParent } from './trace-parent.ts';

/** Safe in headers and logs. */
const ACCEPTABLE = /^[A-Za-z0-9._-]{1,128}$/;

/** `ctx.state.log` has the ids of the request; what writes lines for the request gets it as a parameter. */
export function identifyRequest(log: Logger, uuids: UuidGenerator): Middleware {
  return async (ctx, next) => {
    const sent = ctx.get('X-Request-Id');
    const requestId = ACCEPTABLE.test(sent) ? sent : uuids.next();
    const traceId = ctx.state.traceId ?? sentTraceId(ctx) ?? newTraceId(uuids);
    ctx.state.log = log.child({ requestId, traceId });
    ctx.set('X-Request-Id', requestId);
    await next();
  };
}

function sentTraceId({ req }: Context): string | undefined {
  const { traceparent } = req.headers;
  return typeof traceparent === 'string' ? parseTraceParent(traceparent)?.traceId : undefined;
}

/** A UUID is random enough (W3C Trace Context, level 2, section 2.2.2.3). */
function newTraceId(uuids: UuidGenerator): string {
  return uuids.next().replaceAll('-', '');
}

declare module 'koa' {
  interface DefaultState {
    log: Logger;
    /** Set before, if traces are recorded. */
    traceId?: string;
    errorCode?: string;
    /** What the response with `errorCode` was made from. */
    failure?: unknown;
  }
}
