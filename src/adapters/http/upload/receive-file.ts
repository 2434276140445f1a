import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { type Readable, Transform, type TransformCallback, type Writable } from 'node:stream';
import multer from '@koa/multer';
import type { Context } from 'koa';
import { type FileFilterCallback, MulterError, type StorageEngine } from 'multer';
import { type ArrivalSlot, FORM_OVERHEAD_BYTES } from '../../../application/upload/incoming-file.ts';
import type { ArrivingBody } from '../../../application/upload/upload-slot.ts';
import { DomainError, FileTooLarge } from '../../../domain/errors.ts';
import { RequestError } from '../errors/request-error.ts';
import { BodyTimedOut, BodyTimeout, type BodyTimeoutOptions } from '../request/body-timeout.ts';
import { refuseEpilogue } from './refuse-epilogue.ts';
import {
  type FormFile,
  MAX_OTHER_FIELDS,
  MAX_OTHER_FIELDS_BYTES,
  tooManyFields,
  type UploadForm,
} from './upload-form.ts';

/** @throws {RequestError | DomainError} */
export async function receiveFile(
  ctx: Context,
  form: UploadForm,
  limits: UploadLimits & { readonly slot: ArrivalSlot },
): Promise<FormFile> {
  // If the client left during authentication, the events that multer waits for have fired already.
  if (ctx.req.destroyed) throw new RequestError('invalid_request', 'The client left');
  if (ctx.req.headers.expect !== undefined) ctx.res.writeContinue();
  const body = new UploadBody(ctx.req, limits);
  limits.slot.setArriving(body);
  try {
    await parseForm(body, ctx.res, form, limits.maxFileBytes);
    return await form.file();
  } catch (error) {
    throw formError(error, limits.maxFileBytes);
  } finally {
    limits.slot.setArriving(undefined);
    body.destroy();
  }
}

/** Missing if multer does not recognize the request as a form. */
type ParsedBody = UploadBody & { readonly files?: readonly unknown[] };

interface FieldFacts {
  readonly valueTruncated: boolean;
}

/**
 * Stops reading when the form is refused.
 *
 * @throws {MulterError | RequestError | DomainError} and busboy's errors
 */
async function parseForm(
  body: UploadBody,
  response: ServerResponse,
  form: UploadForm,
  maxFileBytes: number,
): Promise<void> {
  const parser = multer({
    storage: storageOf(form),
    fileFilter: filterOf(form),
    defParamCharset: 'utf8',
    preservePath: false,
    limits: {
      fileSize: maxFileBytes,
      // Includes parts without a file name; `UploadForm` counts the files.
      files: MAX_OTHER_FIELDS + 1,
      fields: MAX_OTHER_FIELDS,
      parts: MAX_OTHER_FIELDS + 2,
      fieldSize: MAX_OTHER_FIELDS_BYTES,
      headerPairs: 20,
    },
    streamHandler: (request: Readable, parser: Writable): void => {
      countFields(parser, form);
      refuseEpilogue(parser);
      pipeUntilRefused(request, parser);
    },
  });
  // `single` refuses a form by the name of its first file; the right error depends on all files of the form.
  await parser.any()({ req: body, res: response }, async () => undefined);
  if ((body as ParsedBody).files === undefined) throw malformedForm();
}

/** After a refusal multer unpipes and reads the rest of the request; destroying the request prevents that. */
function pipeUntilRefused(request: Readable, parser: Writable): void {
  parser.once('unpipe', () => request.destroy());
  request.pipe(parser);
}

/** multer would build nested objects from names such as `a[b]` and `a[4294967294]`. */
function countFields(parser: Writable, form: UploadForm): void {
  parser.removeAllListeners('field');
  parser.on('field', (name: string | undefined, value: string | undefined, facts: FieldFacts) => {
    try {
      form.addField({ name, value, isTruncated: facts.valueTruncated });
    } catch (error) {
      parser.emit('error', error);
    }
  });
}

/** Synchronous: several of multer's advisories come from asynchronous filters. */
function filterOf(
  form: UploadForm,
): (request: object, file: Express.Multer.File, done: FileFilterCallback) => void {
  return (_request, file, done) => {
    try {
      done(null, form.accepts(file));
    } catch (error) {
      done(error as Error);
    }
  };
}

function storageOf(form: UploadForm): StorageEngine {
  return {
    _handleFile: (_request, file, done): void => {
      // If leaving the stream destroyed it, multer would report that error instead of the refusal.
      const bytes: AsyncIterable<Uint8Array> = file.stream.iterator({ destroyOnReturn: false });
      form.receive(bytes).then(
        () => done(null, {}),
        (error: unknown) => done(error),
      );
    },
    // `UploadForm` discards the file.
    _removeFile: (_request, _file, done): void => done(null),
  };
}

/** busboy's errors have no code. */
function formError(error: unknown, maxFileBytes: number): unknown {
  if (error instanceof DomainError || error instanceof RequestError) return error;
  if (error instanceof MulterError) return multerError(error, maxFileBytes);
  if (error instanceof Error && error.constructor === Error && !('code' in error)) {
    return malformedForm(error);
  }
  return error;
}

function malformedForm(cause?: Error): RequestError {
  return new RequestError('invalid_request', 'The multipart form is malformed or incomplete', {}, { cause });
}

function multerError(error: MulterError, maxFileBytes: number): Error {
  switch (error.code) {
    case 'LIMIT_FILE_SIZE':
      return new FileTooLarge(maxFileBytes);
    case 'LIMIT_FIELD_COUNT':
    case 'LIMIT_PART_COUNT':
      return tooManyFields();
    default:
      return new RequestError('invalid_request', `The multipart form is not acceptable: ${error.message}`);
  }
}

export interface UploadLimits extends BodyTimeoutOptions {
  /** A file of exactly this size passes. */
  readonly maxFileBytes: number;
}

/**
 * Adds what multer lacks: a limit on the whole body, a timeout for slow clients, and a way to stop early. multer
 * reads a refused body to its end.
 */
export class UploadBody extends Transform implements ArrivingBody {
  readonly headers: IncomingHttpHeaders;
  private received = 0;
  private readonly timeout: BodyTimeout;

  constructor(
    private readonly request: IncomingMessage,
    private readonly limits: UploadLimits,
  ) {
    super();
    this.headers = request.headers;
    this.timeout = new BodyTimeout(limits, {
      // Otherwise received bytes wait to be stored.
      isReady: () => this.readableLength === 0,
      end: (error) => this.destroy(error),
    });
    request.once('close', this.onRequestClose);
    request.pipe(this);
  }

  recentBytes(): number | undefined {
    return this.destroyed || this.request.complete ? undefined : this.timeout.recentBytes;
  }

  giveWay(): void {
    this.destroy(new BodyTimedOut('slot_taken'));
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.timeout.add(chunk.length);
    this.received += chunk.length;
    const { maxFileBytes } = this.limits;
    if (this.received > maxFileBytes + FORM_OVERHEAD_BYTES) done(new FileTooLarge(maxFileBytes));
    else done(null, chunk);
  }

  override _flush(done: TransformCallback): void {
    this.timeout.stop();
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.timeout.stop();
    this.request.off('close', this.onRequestClose);
    this.request.unpipe(this);
    done(error);
  }

  private readonly onRequestClose = (): void => {
    // `request.complete` is not used: it is true before all received bytes have been read.
    if (!this.request.readableEnded) this.destroy(new Error('The client left'));
  };
}
