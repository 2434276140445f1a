import { createHash } from 'node:crypto';
import type { Context } from 'koa';
import { FileTooLarge } from '../../../domain/errors.ts';
import type { IdempotencyKey } from '../../../domain/ports/idempotency-keys.ts';
import { subjectOf } from '../auth/claims.ts';
import { refuseContentEncoding } from '../request/refuse-content-encoding.ts';
import { RequestError } from '../request-error.ts';
import { FORM_OVERHEAD_BYTES } from './upload-body.ts';

export interface UploadHeaders {
  readonly subject: string;
  /** Lower-case hex. */
  readonly digest: string | undefined;
  readonly key: IdempotencyKey | undefined;
}

/** @throws {RequestError | FileTooLarge} */
export function readUploadHeaders(ctx: Context, maxFileBytes: number): UploadHeaders {
  const subject = subjectOf(ctx.state.auth);
  const digest = readContentDigest(ctx);
  const key = readIdempotencyKey(ctx, subject);
  checkForm(ctx, maxFileBytes);
  return { subject, digest, key };
}

/** RFC 2046, section 5.1.1. The form parser accepts an empty boundary in quotes. */
const EMPTY_BOUNDARY = /;\s*boundary=(?:""|\s*(?:;|$))/i;

function checkForm(ctx: Context, maxFileBytes: number): void {
  refuseContentEncoding(ctx);
  if (ctx.request.type.trim().toLowerCase() !== 'multipart/form-data') {
    throw new RequestError('unsupported_media_type', 'The request must be multipart/form-data');
  }
  if (Number(ctx.get('Content-Length')) > maxFileBytes + FORM_OVERHEAD_BYTES) {
    throw new FileTooLarge(maxFileBytes);
  }
  if (EMPTY_BOUNDARY.test(ctx.get('Content-Type'))) {
    throw new RequestError('invalid_request', 'The boundary of the multipart form is empty');
  }
}

function readContentDigest(ctx: Context): string | undefined {
  if (ctx.req.headers['x-content-sha256'] === undefined) return undefined;
  const header = ctx.get('X-Content-SHA256');
  if (/^[0-9a-f]{64}$/i.test(header)) return header.toLowerCase();
  throw new RequestError('invalid_request', 'X-Content-SHA256 must be 64 hexadecimal digits');
}

function readIdempotencyKey(ctx: Context, subject: string): IdempotencyKey | undefined {
  if (ctx.req.headers['idempotency-key'] === undefined) return undefined;
  const key = ctx.get('Idempotency-Key');
  // A hash has a fixed length and reveals no name.
  if (/^[\x21-\x7e]{1,255}$/.test(key)) return { scope: sha256(subject), key };
  throw new RequestError('invalid_request', 'Idempotency-Key must be 1 to 255 visible ASCII characters');
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** @throws {RequestError} */
export function checkContentDigest(sent: string | undefined, received: string): void {
  if (sent === undefined || sent === received) return;
  throw new RequestError(
    'digest_mismatch',
    'The SHA-256 of the received bytes differs from X-Content-SHA256',
  );
}
