import type { Middleware } from 'koa';
import type { Logger } from 'pino';
import type { UuidGenerator } from '../../../domain/ports/uuid-generator.ts';

/** Ids that clients may choose: safe in headers and logs. */
const ACCEPTABLE = /^[A-Za-z0-9._-]{1,128}$/;

/** Sets the request id, which is the client's if that is acceptable, and a logger that includes it. */
export function identifyRequest(log: Logger, uuids: UuidGenerator): Middleware {
  return async (ctx, next) => {
    const sent = ctx.get('X-Request-Id');
    const requestId = ACCEPTABLE.test(sent) ? sent : uuids.next();
    ctx.state.log = log.child({ requestId });
    ctx.set('X-Request-Id', requestId);
    await next();
  };
}

declare module 'koa' {
  interface DefaultState {
    /** Includes the request id. */
    log: Logger;
    /** The code of the error response, for the request's log line. */
    errorCode?: string;
  }
}
