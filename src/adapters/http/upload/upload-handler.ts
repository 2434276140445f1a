import type { Context } from 'koa';
import type { PrerenderUploads } from '../../../application/prerender-uploads.ts';
import type { Upload, UploadImage } from '../../../application/upload-image.ts';
import type { UploadImageOnce, UploadResult } from '../../../application/upload-image-once.ts';
import type { IdempotencyKey } from '../../../domain/ports/idempotency-keys.ts';
import { errorResponse } from '../error-response.ts';
import type { ViewImage } from '../image/image-view.ts';
import type { Handler } from '../openapi/operation.ts';
import { whileClientStays } from '../request/while-client-stays.ts';
import type { SimilarReport } from '../similar/similar-report.ts';
import type { RequestObserver } from '../telemetry.ts';
import type { ReceiveFile } from './receive-file.ts';
import type { UploadAdmission } from './upload-admission.ts';
import { checkContentDigest, readUploadHeaders, type UploadHeaders } from './upload-headers.ts';
import type { uploadImageOperation } from './upload-operation.ts';

export interface UploadHandlerOptions {
  readonly maxFileBytes: number;
  readonly admission: UploadAdmission;
  readonly receiveFile: ReceiveFile;
  readonly uploadImage: UploadImage;
  readonly uploadImageOnce: UploadImageOnce;
  readonly prerenderUploads: PrerenderUploads;
  readonly view: ViewImage;
  readonly similarReport: SimilarReport;
  readonly observer: Pick<RequestObserver, 'uploaded'>;
}

type UploadOperation = ReturnType<typeof uploadImageOperation>;

export function uploadHandler(options: UploadHandlerOptions): Handler<UploadOperation> {
  const { prerenderUploads, view, similarReport, observer } = options;
  return async ({ ctx, query }) => {
    const isReport = query.similar === 'report';
    const { image, pixels, replayed } = await uploadOf(options, ctx, isReport);
    if (!replayed) afterResponse(ctx, () => prerenderUploads.add({ image, pixels }));
    const similar = isReport ? await similarReport.of(ctx, image.id) : undefined;
    observer.uploaded(replayed ? 'replayed' : 'created');
    return {
      status: 201,
      headers: {
        Location: `/api/image/${image.id}`,
        'Idempotency-Replayed': replayed ? 'true' : undefined,
      },
      body: { ...view(image), similar },
    };
  };
}

async function uploadOf(
  options: UploadHandlerOptions,
  ctx: Context,
  isReport: boolean,
): Promise<UploadResult> {
  try {
    if (isReport) options.similarReport.authorize(ctx);
    return await admitted(options, ctx, readUploadHeaders(ctx, options.maxFileBytes));
  } catch (error) {
    options.observer.uploaded(ctx.res.destroyed ? 'client_left' : errorResponse(error).body.code);
    throw error;
  }
}

async function admitted(
  options: UploadHandlerOptions,
  ctx: Context,
  { subject, digest, key }: UploadHeaders,
): Promise<UploadResult> {
  const leave = options.admission.enter(subject);
  try {
    return await options.receiveFile(ctx, async (file) => {
      checkContentDigest(digest, file.staged.sha256);
      return await whileClientStays(ctx, (leaving) =>
        options.prerenderUploads.beside(() =>
          upload(options, { ...file, requester: { signal: leaving(), subject } }, key),
        ),
      );
    });
  } finally {
    leave();
  }
}

/** Also if the client has left. */
function afterResponse(ctx: Context, work: () => void): void {
  if (ctx.res.closed) work();
  else ctx.res.once('close', work);
}

async function upload(
  { uploadImage, uploadImageOnce }: UploadHandlerOptions,
  file: Upload,
  key: IdempotencyKey | undefined,
): Promise<UploadResult> {
  if (key !== undefined) return await uploadImageOnce.execute(file, key);
  return { ...(await uploadImage.execute(file)), replayed: false };
}
