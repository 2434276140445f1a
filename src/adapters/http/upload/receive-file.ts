import type { Context } from 'koa';
import type { StagingArea } from '../../../domain/ports/staging-area.ts';
import { RequestError } from '../request-error.ts';
import type { Watch } from '../telemetry.ts';
import { formError } from './form-error.ts';
import { parseForm } from './parse-form.ts';
import { UploadBody, type UploadBodyLimits } from './upload-body.ts';
import { type ReceivedFile, UploadForm } from './upload-form.ts';

/** Discards the staged file after `use` unless it has become a blob. */
export type ReceiveFile = <T>(ctx: Context, use: (file: ReceivedFile) => Promise<T>) => Promise<T>;

/** The function throws {RequestError | CatalogError}, and what `use` throws. */
export function receiveFile(
  staging: StagingArea,
  limits: UploadBodyLimits,
  watchReceive: Watch,
): ReceiveFile {
  return async (ctx, use) => {
    const form = new UploadForm(staging, limits.maxFileBytes);
    try {
      return await use(await watchReceive(() => readForm(ctx, form, limits)));
    } finally {
      await form.discard();
    }
  };
}

async function readForm(ctx: Context, form: UploadForm, limits: UploadBodyLimits): Promise<ReceivedFile> {
  // If the client left during authentication, the events that multer waits for have fired already.
  if (ctx.req.destroyed) throw new RequestError('invalid_request', 'The client left');
  if (ctx.req.headers.expect !== undefined) ctx.res.writeContinue();
  const body = new UploadBody(ctx.req, limits);
  try {
    await parseForm(body, ctx.res, form, limits.maxFileBytes);
    return await form.file();
  } catch (error) {
    throw formError(error, limits.maxFileBytes);
  } finally {
    body.destroy();
  }
}
