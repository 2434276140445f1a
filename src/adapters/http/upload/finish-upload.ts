import type { Context } from 'koa';
import type { UploadResult } from '../../../application/upload/upload-image.ts';
import { UnsupportedMediaType } from '../../../domain/errors.ts';
import { errorResponse } from '../errors/error-response.ts';
import { BodyTimedOut } from '../request/body-timeout.ts';
import type { RouteParts } from '../route/route-parts.ts';

/** Counts the outcome of an upload. After the response to a new image, its default renditions are made. */
export async function finishUpload(
  { prerenderUploads, telemetry: { metrics } }: RouteParts,
  ctx: Context,
  uploading: Promise<UploadResult>,
): Promise<UploadResult> {
  try {
    const result = await uploading;
    const { image, pixels, replayed } = result;
    if (!replayed) afterResponse(ctx, () => prerenderUploads.add({ image, pixels }));
    metrics.count('uploads_total', replayed ? 'replayed' : 'created');
    return result;
  } catch (error) {
    const hasLeft = ctx.res.destroyed;
    metrics.count('uploads_total', hasLeft ? 'client_left' : errorResponse(error).body.code);
    if (!hasLeft && error instanceof UnsupportedMediaType) {
      metrics.count('uploads_refused_kind_total', error.kind);
    }
    if (error instanceof BodyTimedOut) metrics.count('uploads_timed_out_total', error.reason);
    throw error;
  }
}

/** Also if the client has left. */
function afterResponse(ctx: Context, work: () => void): void {
  if (ctx.res.closed) work();
  else ctx.res.once('close', work);
}
