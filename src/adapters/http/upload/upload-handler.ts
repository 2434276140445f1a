import { createHash } from 'node:crypto';
import type { Context } from 'koa';
import type { SubjectShares } from '../../../application/concurrency/subject-shares.ts';
import type { AdmitUpload } from '../../../application/upload/admit-upload.ts';
import type { PrerenderUploads } from '../../../application/upload/prerender-uploads.ts';
import type { Upload, UploadImage } from '../../../application/upload/upload-image.ts';
import type { UploadImageOnce, UploadResult } from '../../../application/upload/upload-image-once.ts';
import { FileTooLarge } from '../../../domain/errors.ts';
import type { StagingArea } from '../../../domain/ports/bytes/staging-area.ts';
import type { IdempotencyKey } from '../../../domain/ports/records/idempotency-keys.ts';
import type { Space } from '../../../domain/space/space.ts';
import { subjectOf } from '../auth/authenticate.ts';
import { errorResponse } from '../error-response.ts';
import type { ViewImage } from '../image/image-view.ts';
import type { Handler } from '../openapi/operation.ts';
import { refuseContentEncoding } from '../request/receive-json.ts';
import { whileClientStays } from '../request/while-client-stays.ts';
import { RequestError } from '../request-error.ts';
import type { SimilarReport } from '../similar/similar-report.ts';
import type { RequestObserver, Watch } from '../telemetry.ts';
import { FORM_OVERHEAD_BYTES, receiveFile, type UploadLimits } from './receive-file.ts';
import { UploadForm } from './upload-form.ts';
import type { uploadImageOperation } from './upload-operation.ts';

interface UploadHandlerOptions {
  readonly limits: UploadLimits;
  /** Uploads at a time. */
  readonly places: SubjectShares;
  /** Whether a space has a share of the places, as a subject does. */
  readonly sharesBySpace: boolean;
  readonly staging: StagingArea;
  /** Around the arrival of the form. */
  readonly watchReceive: Watch;
  readonly admitUpload: AdmitUpload;
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
  return async ({ ctx, space, query }) => {
    const isReport = query.similar === 'report';
    const { image, pixels, replayed } = await uploadOf(options, { ctx, space, isReport });
    if (!replayed) afterResponse(ctx, () => prerenderUploads.add({ image, pixels }));
    const similar = isReport ? await similarReport.of(ctx, space, image.id) : undefined;
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

interface UploadRequest {
  readonly ctx: Context;
  readonly space: Space;
  readonly isReport: boolean;
}

async function uploadOf(options: UploadHandlerOptions, request: UploadRequest): Promise<UploadResult> {
  const { ctx, isReport } = request;
  try {
    if (isReport) options.similarReport.authorize(ctx);
    return await receiveAndStore(options, request, readUploadHeaders(ctx, options.limits.maxFileBytes));
  } catch (error) {
    options.observer.uploaded(ctx.res.destroyed ? 'client_left' : errorResponse(error).body.code);
    throw error;
  }
}

/** Rejects uploads above the limits before their body is read. Discards the staged file unless it has become a blob. */
async function receiveAndStore(
  options: UploadHandlerOptions,
  { ctx, space }: UploadRequest,
  { subject, digest, key, minBytes }: UploadHeaders,
): Promise<UploadResult> {
  const { staging, limits, watchReceive, prerenderUploads } = options;
  if (minBytes > 0) await options.admitUpload.execute({ space, minBytes, key });
  const leave = takePlace(options, subject, space);
  const form = new UploadForm(staging, limits.maxFileBytes);
  try {
    const file = await watchReceive(() => receiveFile(ctx, form, limits));
    checkContentDigest(digest, file.staged.sha256);
    return await whileClientStays(ctx, (leaving) => {
      const requester = { signal: leaving(), subject };
      return prerenderUploads.beside(() =>
        upload(options, { ...file, space, requester, by: ctx.state.actor }, key),
      );
    });
  } finally {
    await form.discard();
    leave();
  }
}

/** @throws {Overloaded} */
function takePlace(
  { places, sharesBySpace }: UploadHandlerOptions,
  subject: string,
  space: Space,
): () => void {
  return sharesBySpace ? places.take(subject, JSON.stringify(['space', space])) : places.take(subject);
}

/** Also if the client has left. */
function afterResponse(ctx: Context, work: () => void): void {
  if (ctx.res.closed) work();
  else ctx.res.once('close', work);
}

async function upload(
  { uploadImage, uploadImageOnce }: UploadHandlerOptions,
  file: Upload,
  key: SentKey | undefined,
): Promise<UploadResult> {
  if (key !== undefined) return await uploadImageOnce.execute(file, key);
  return { ...(await uploadImage.execute(file)), replayed: false };
}

type SentKey = Omit<IdempotencyKey, 'space'>;

interface UploadHeaders {
  readonly subject: string;
  /** Lower-case hex. */
  readonly digest: string | undefined;
  readonly key: SentKey | undefined;
  /** Of the file, by `Content-Length`; 0 or less if it says nothing. */
  readonly minBytes: number;
}

/** @throws {RequestError | FileTooLarge} */
function readUploadHeaders(ctx: Context, maxFileBytes: number): UploadHeaders {
  const subject = subjectOf(ctx);
  const digest = readContentDigest(ctx);
  const key = readIdempotencyKey(ctx, subject);
  checkForm(ctx, maxFileBytes);
  return { subject, digest, key, minBytes: Number(ctx.get('Content-Length')) - FORM_OVERHEAD_BYTES };
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

function readIdempotencyKey(ctx: Context, subject: string): SentKey | undefined {
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
function checkContentDigest(sent: string | undefined, received: string): void {
  if (sent === undefined || sent === received) return;
  throw new RequestError(
    'digest_mismatch',
    'The SHA-256 of the received bytes differs from X-Content-SHA256',
  );
}
