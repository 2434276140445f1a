import type { Context } from 'koa';
import {
  type ArrivalSlot,
  FORM_OVERHEAD_BYTES,
  type IncomingFile,
  type ReceivedFile,
} from '../../../application/upload/incoming-file.ts';
import { FileTooLarge } from '../../../domain/errors.ts';
import type { StagingArea } from '../../../domain/ports/bytes/staging-area.ts';
import { RequestError } from '../errors/request-error.ts';
import { refuseContentEncoding } from '../request/receive-json.ts';
import type { RouteParts } from '../route/route-parts.ts';
import { hashFile } from './hash-file.ts';
import { receiveFile } from './receive-file.ts';
import { type FormRules, UploadForm } from './upload-form.ts';

type IncomingRules = Omit<FormRules, 'acceptedTypes'>;

/**
 * The form of a request, whose headers are judged now and whose body is read later.
 *
 * @throws {RequestError | FileTooLarge}
 */
export function incomingForm(parts: RouteParts, ctx: Context, rules: IncomingRules): IncomingFile {
  const digest = readContentDigest(ctx);
  checkForm(ctx, rules.maxFileBytes);
  const { 'content-length': length } = ctx.req.headers;
  return new IncomingForm(parts, ctx, rules, {
    digest,
    bodyBytes: length === undefined ? undefined : Number(length),
  });
}

class IncomingForm implements IncomingFile {
  readonly digest: string | undefined;
  readonly bodyBytes: number | undefined;

  constructor(
    private readonly parts: RouteParts,
    private readonly ctx: Context,
    private readonly rules: IncomingRules,
    { digest, bodyBytes }: Pick<IncomingFile, 'digest' | 'bodyBytes'>,
  ) {
    this.digest = digest;
    this.bodyBytes = bodyBytes;
  }

  get isGone(): boolean {
    return this.ctx.res.destroyed;
  }

  async receive(slot: ArrivalSlot): Promise<ReceivedFile> {
    return await this.read(slot, this.parts.staging, this.rules.maxFileBytes);
  }

  async hash(slot: ArrivalSlot, maxBytes = this.rules.maxFileBytes): Promise<string> {
    const { staged } = await this.read(slot, { receive: hashFile }, maxBytes);
    return staged.sha256;
  }

  private async read(
    slot: ArrivalSlot,
    staging: Pick<StagingArea, 'receive'>,
    maxFileBytes: number,
  ): Promise<ReceivedFile> {
    const { settings, telemetry, timer } = this.parts;
    const { acceptedTypes, stallTimeoutMs } = settings.upload;
    const form = new UploadForm(staging, { ...this.rules, maxFileBytes, acceptedTypes });
    try {
      const limits = { maxFileBytes, timer, stallTimeoutMs, slot };
      const file = await telemetry.watchReceive(() => receiveFile(this.ctx, form, limits));
      checkContentDigest(this.digest, file.staged.sha256);
      return { ...file, [Symbol.asyncDispose]: () => file.staged.discard() };
    } catch (error) {
      await form.discard();
      throw error;
    }
  }
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
