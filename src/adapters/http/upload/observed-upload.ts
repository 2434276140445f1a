import type { Context } from 'koa';
import { errorResponse } from '../error-response.ts';
import type { RequestObserver } from '../telemetry.ts';

type Handler = (ctx: Context) => Promise<void>;

export function observedUpload(handle: Handler, observer: Pick<RequestObserver, 'uploaded'>): Handler {
  return async (ctx) => {
    try {
      await handle(ctx);
    } catch (error) {
      observer.uploaded(ctx.res.destroyed ? 'client_left' : errorResponse(error).body.code);
      throw error;
    }
    observer.uploaded(ctx.res.hasHeader('Idempotency-Replayed') ? 'replayed' : 'created');
  };
}
