import { createHash } from 'node:crypto';
import type { Context } from 'koa';
import type { UploadImage } from '../../../application/upload-image.ts';
import type { UploadedOnce, UploadImageOnce } from '../../../application/upload-image-once.ts';
import type { IdempotencyKey } from '../../../domain/ports/idempotency-keys.ts';
import { type Claims, subjectOf } from '../auth/claims.ts';
import type { ViewImage } from '../image-view.ts';
import { readNoQuery } from '../read-query.ts';
import { RequestError } from '../request-error.ts';
import { whileClientStays } from '../while-client-stays.ts';
import { checkUploadHeaders } from './check-upload-headers.ts';
import type { ReceiveFile } from './receive-file.ts';
import type { UploadAdmission } from './upload-admission.ts';

export interface UploadHandlerOptions {
  readonly maxFileBytes: number;
  readonly admission: UploadAdmission;
  readonly receiveFile: ReceiveFile;
  readonly uploadImage: UploadImage;
  readonly uploadImageOnce: UploadImageOnce;
  readonly view: ViewImage;
}

/** `POST /api/upload` */
export function uploadHandler(options: UploadHandlerOptions): (ctx: Context) => Promise<void> {
  return async (ctx) => {
    readNoQuery(ctx);
    const expectedSha256 = readContentSha256(ctx);
    const key = readIdempotencyKey(ctx);
    checkUploadHeaders(ctx, options.maxFileBytes);
    const { image, replayed } = await options.admission.admit(subjectOf(ctx.state.auth), async () => {
      const received = await options.receiveFile(ctx);
      return await whileClientStays(ctx, async (leaving): Promise<UploadedOnce> => {
        const upload = { ...received, expectedSha256, leaving: leaving() };
        if (key !== undefined) return await options.uploadImageOnce.execute(upload, key);
        return { image: await options.uploadImage.execute(upload), replayed: false };
      });
    });
    ctx.status = 201;
    ctx.set('Location', `/api/image/${image.id}`);
    if (replayed) ctx.set('Idempotency-Replayed', 'true');
    ctx.body = options.view(image);
  };
}

/** The SHA-256 that the client says its file has, lower-case hex. */
function readContentSha256(ctx: Context): string | undefined {
  if (ctx.req.headers['x-content-sha256'] === undefined) return undefined;
  const header = ctx.get('X-Content-SHA256');
  if (/^[0-9a-f]{64}$/i.test(header)) return header.toLowerCase();
  throw new RequestError('invalid_request', 'X-Content-SHA256 must be 64 hexadecimal digits');
}

function readIdempotencyKey(ctx: Context): IdempotencyKey | undefined {
  if (ctx.req.headers['idempotency-key'] === undefined) return undefined;
  const key = ctx.get('Idempotency-Key');
  if (/^[\x21-\x7e]{1,255}$/.test(key)) return { scope: scopeOf(ctx.state.auth), key };
  throw new RequestError('invalid_request', 'Idempotency-Key must be 1 to 255 visible ASCII characters');
}

/** Whose key it is. Hashed, so that it has a bounded length and holds no name. */
function scopeOf(claims: Claims | undefined): string {
  return createHash('sha256').update(subjectOf(claims)).digest('hex');
}
