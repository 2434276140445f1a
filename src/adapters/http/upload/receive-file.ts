import type { ServerResponse } from 'node:http';
import type { Readable, Writable } from 'node:stream';
import multer from '@koa/multer';
import type { Context } from 'koa';
import type { FileFilterCallback, StorageEngine } from 'multer';
import type { StagingArea } from '../../../domain/ports/staging-area.ts';
import { RequestError } from '../request-error.ts';
import type { Watch } from '../telemetry.ts';
import { formError, malformedForm } from './form-error.ts';
import { UploadBody, type UploadBodyLimits } from './upload-body.ts';
import { MAX_OTHER_FIELDS, MAX_OTHER_FIELDS_BYTES, type ReceivedFile, UploadForm } from './upload-form.ts';

/** Discards the staged file after `use` unless it has become a blob. */
export type ReceiveFile = <T>(ctx: Context, use: (file: ReceivedFile) => Promise<T>) => Promise<T>;

/** The function throws {RequestError | DomainError}, and what `use` throws. */
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
