import type { Middleware } from 'koa';
import type { Logger } from 'pino';
import type { UuidGenerator } from '../../../domain/ports/uuid-generator.ts';

/** Safe in headers and logs. */
const ACCEPTABLE = /^[A-Za-z0-9._-]{1,128}$/;

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
    log: Logger;
    errorCode?: string;
  }
}
