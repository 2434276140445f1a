import { createHash } from 'node:crypto';
import type { Context } from 'koa';
import type { PrerenderUploads } from '../../../application/prerender-uploads.ts';
import type { Upload, UploadImage } from '../../../application/upload-image.ts';
import type { UploadImageOnce, UploadResult } from '../../../application/upload-image-once.ts';
import type { IdempotencyKey } from '../../../domain/ports/idempotency-keys.ts';
import { type Claims, subjectOf } from '../auth/claims.ts';
import type { ViewImage } from '../image/image-view.ts';
import type { Handler } from '../openapi/operation.ts';
import { whileClientStays } from '../request/while-client-stays.ts';
import { RequestError } from '../request-error.ts';
import type { SimilarReport } from '../similar/similar-report.ts';
import { checkUploadHeaders } from './check-upload-headers.ts';
import { checkContentDigest, readContentDigest } from './content-digest.ts';
import type { ReceiveFile } from './receive-file.ts';
import type { UploadAdmission } from './upload-admission.ts';
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
}

export function uploadHandler(
  options: UploadHandlerOptions,
): Handler<ReturnType<typeof uploadImageOperation>> {
  const { admission, receiveFile, prerenderUploads, view, similarReport } = options;
  return async ({ ctx, query }) => {
    const isReport = query.similar === 'report';
    if (isReport) similarReport.authorize(ctx);
    const digest = readContentDigest(ctx);
    const key = readIdempotencyKey(ctx);
    checkUploadHeaders(ctx, options.maxFileBytes);
    const subject = subjectOf(ctx.state.auth);
    const { image, pixels, replayed } = await admission.admit(subject, () =>
      receiveFile(ctx, async (file) => {
        checkContentDigest(digest, file.staged.sha256);
        return await whileClientStays(ctx, (leaving) =>
          prerenderUploads.beside(() =>
            upload(options, { ...file, requester: { signal: leaving(), subject } }, key),
          ),
        );
      }),
    );
    if (!replayed) afterResponse(ctx, () => prerenderUploads.add({ image, pixels }));
    return {
      status: 201,
      headers: {
        Location: `/api/image/${image.id}`,
        'Idempotency-Replayed': replayed ? 'true' : undefined,
      },
      body: { ...view(image), similar: isReport ? await similarReport.of(ctx, image.id) : undefined },
    };
  };
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

function readIdempotencyKey(ctx: Context): IdempotencyKey | undefined {
  if (ctx.req.headers['idempotency-key'] === undefined) return undefined;
  const key = ctx.get('Idempotency-Key');
  if (/^[\x21-\x7e]{1,255}$/.test(key)) return { scope: scopeOf(ctx.state.auth), key };
  throw new RequestError('invalid_request', 'Idempotency-Key must be 1 to 255 visible ASCII characters');
}

/** A hash has a fixed length and reveals no name. */
function scopeOf(claims: Claims | undefined): string {
  return createHash('sha256').update(subjectOf(claims)).digest('hex');
}
