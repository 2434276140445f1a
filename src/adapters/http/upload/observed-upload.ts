import { errorResponse } from '../error-response.ts';
import type { Handler } from '../openapi/operation.ts';
import type { RequestObserver } from '../telemetry.ts';
import type { uploadImageOperation } from './upload-operation.ts';

type UploadHandler = Handler<ReturnType<typeof uploadImageOperation>>;

export function observedUpload(
  handle: UploadHandler,
  observer: Pick<RequestObserver, 'uploaded'>,
): UploadHandler {
  return async (input) => {
    try {
      const reply = await handle(input);
      observer.uploaded(reply?.headers['Idempotency-Replayed'] === undefined ? 'created' : 'replayed');
      return reply;
    } catch (error) {
      const hasLeft = input.ctx.res.destroyed;
      observer.uploaded(hasLeft ? 'client_left' : errorResponse(error).body.code);
      throw error;
    }
  };
}
