import type { Context } from 'koa';
import type { Upload } from '../../../application/upload/upload-image.ts';
import type { UploadResult } from '../../../application/upload/upload-image-once.ts';
import type { UploadSlot } from '../../../application/upload/upload-slots.ts';
import { FileTooLarge, UnsupportedMediaType } from '../../../domain/errors.ts';
import type { StagingArea } from '../../../domain/ports/bytes/staging-area.ts';
import type { IdempotencyKey } from '../../../domain/ports/records/idempotency-keys.ts';
import type { Space } from '../../../domain/space/space.ts';
import { errorResponse } from '../errors/error-response.ts';
import { RequestError } from '../errors/request-error.ts';
import { BodyTimedOut } from '../request/body-timeout.ts';
import { leavingOf } from '../request/leaving-of.ts';
import { refuseContentEncoding } from '../request/receive-json.ts';
import type { RouteParts } from '../route/route-parts.ts';
import { FORM_OVERHEAD_BYTES, receiveFile } from './receive-file.ts';
import { type FormRules, type ReceivedFile, UploadForm } from './upload-form.ts';

/** What is known before the body. */
export interface ExpectedUpload {
  readonly space: Space;
  /** Takes turns with other subjects. */
  readonly subject: string;
  readonly by: string | undefined;
  readonly rules: ExpectedForm['rules'];
  readonly key: SentKey | undefined;
  /**
   * The function throws {Overloaded | IdempotencyKeyInUse}, and the reason of the signal.
   *
   * @param leaving is aborted when the client leaves
   */
  readonly takeSlot: (leaving: AbortSignal) => Promise<UploadSlot>;
  /** Receives an upload that can only repeat an earlier one. `undefined`: there is none. */
  readonly repeat?: (headers: UploadHeaders, slot: UploadSlot) => Promise<UploadResult | undefined>;
  readonly store: (upload: Upload) => Promise<UploadResult>;
}

export interface ExpectedForm {
  readonly rules: Omit<FormRules, 'acceptedTypes'>;
  readonly headers: UploadHeaders;
  readonly slot: UploadSlot;
  readonly staging: Pick<StagingArea, 'receive'>;
}

export type SentKey = Omit<IdempotencyKey, 'space'>;

/** @param expect throws what refuses the upload before its form is judged */
export async function receiveUpload(
  parts: RouteParts,
  ctx: Context,
  expect: () => ExpectedUpload,
): Promise<UploadResult> {
  const { prerenderUploads } = parts;
  const { metrics } = parts.telemetry;
  try {
    const result = await admitAndReceive(parts, ctx, expect());
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

/** Rejects uploads above the limits before their body is read. */
async function admitAndReceive(
  parts: RouteParts,
  ctx: Context,
  { space, subject, by, rules, key, takeSlot, repeat, store }: ExpectedUpload,
): Promise<UploadResult> {
  const headers = readUploadHeaders(ctx, rules.maxFileBytes);
  const minBytes = (headers.length ?? 0) - FORM_OVERHEAD_BYTES;
  if (minBytes > 0) await parts.admitUpload.execute({ space, minBytes, key });
  const slot = await takeSlot(leavingOf(ctx));
  try {
    const repeated = await repeat?.(headers, slot);
    if (repeated !== undefined) return repeated;
    const form = { rules, headers, slot, staging: parts.staging };
    return await receiveForm(parts, ctx, form, (file) => {
      const requester = { signal: leavingOf(ctx), subject };
      return parts.prerenderUploads.beside(() => store({ ...file, space, requester, by }));
    });
  } finally {
    slot.release();
  }
}

/** Discards the staged file unless it has become a blob. */
export async function receiveForm<T>(
  { settings: { upload }, telemetry, timer }: RouteParts,
  ctx: Context,
  { rules, headers, slot, staging }: ExpectedForm,
  use: (file: ReceivedFile) => Promise<T>,
): Promise<T> {
  const form = new UploadForm(staging, { ...rules, acceptedTypes: upload.acceptedTypes });
  try {
    const { stallTimeoutMs } = upload;
    const limits = { maxFileBytes: rules.maxFileBytes, timer, stallTimeoutMs, slot };
    const file = await telemetry.watchReceive(() => receiveFile(ctx, form, limits));
    checkContentDigest(headers.digest, file.staged.sha256);
    return await use(file);
  } finally {
    await form.discard();
  }
}

/** Also if the client has left. */
function afterResponse(ctx: Context, work: () => void): void {
  if (ctx.res.closed) work();
  else ctx.res.once('close', work);
}

export interface UploadHeaders {
  /** Lower-case hex. */
  readonly digest: string | undefined;
  /** Of the form, in bytes. */
  readonly length: number | undefined;
}

/** @throws {RequestError | FileTooLarge} */
function readUploadHeaders(ctx: Context, maxFileBytes: number): UploadHeaders {
  const digest = readContentDigest(ctx);
  const { 'content-length': length } = ctx.req.headers;
  checkForm(ctx, maxFileBytes);
  return { digest, length: length === undefined ? undefined : Number(length) };
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

/** @throws {RequestError} */
function checkContentDigest(sent: string | undefined, received: string): void {
  if (sent === undefined || sent === received) return;
  throw new RequestError(
    'digest_mismatch',
    'The SHA-256 of the received bytes differs from X-Content-SHA256',
  );
}
