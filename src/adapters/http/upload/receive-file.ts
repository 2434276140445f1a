import type { ServerResponse } from 'node:http';
import type { Readable, Writable } from 'node:stream';
import multer from '@koa/multer';
import type { Context } from 'koa';
import { type FileFilterCallback, MulterError, type StorageEngine } from 'multer';
import { CatalogError, FileRequired, FileTooLarge, UnsupportedMediaType } from '../../../domain/errors.ts';
import { mediaTypeOf } from '../../../domain/image/media-type.ts';
import { parseOriginalName } from '../../../domain/image/original-name.ts';
import type { StagedFile, StagingArea } from '../../../domain/ports/staging-area.ts';
import { RequestError } from '../request-error.ts';
import { UploadBody, type UploadBodyLimits } from './upload-body.ts';

const FILE_FIELD = 'file';
const MAX_OTHER_FIELDS = 20;
const MAX_OTHER_FIELDS_BYTES = 64 * 1024;

export interface ReceivedFile {
  readonly originalName: string;
  readonly staged: StagedFile;
}

export type ReceiveFile = (ctx: Context) => Promise<ReceivedFile>;

/** What multer hands from the filter and the storage engine to the end of the form. */
interface FormFile {
  readonly fieldname: string;
  readonly originalname: string;
  readonly stream: AsyncIterable<Uint8Array>;
  staged?: StagedFile;
}

interface ParsedForm {
  /** Missing if multer does not take the request for a form. */
  readonly files?: readonly FormFile[];
}

/**
 * Reads `multipart/form-data` with exactly one file part, named `file`, into the staging area while it comes. A form that
 * is refused leaves nothing there, and is not read further than it takes to see why.
 *
 * @throws {RequestError | CatalogError}
 */
export function receiveFile(staging: StagingArea, limits: UploadBodyLimits): ReceiveFile {
  const parseForm = formParser(staging, limits.maxFileBytes);
  return async (ctx) => {
    // multer would wait for ever for a client that left while the token was looked at: its events have already fired.
    if (ctx.req.destroyed) throw new RequestError('invalid_request', 'The client left');
    if (ctx.req.headers.expect !== undefined) ctx.res.writeContinue();
    const body = new UploadBody(ctx.req, limits);
    try {
      return theOneFile(await parseForm(body, ctx.res));
    } catch (error) {
      await discardReceived(body);
      throw formError(error, limits.maxFileBytes);
    } finally {
      body.destroy();
    }
  };
}

function formParser(
  staging: StagingArea,
  maxFileBytes: number,
): (body: UploadBody, response: ServerResponse) => Promise<ParsedForm> {
  const options = {
    storage: stagingEngine(staging, maxFileBytes),
    fileFilter: onlyTheFile,
    defParamCharset: 'utf8',
    preservePath: false,
    limits: {
      fileSize: maxFileBytes,
      // Parts without a file name count here, too; `onlyTheFile` counts the files.
      files: MAX_OTHER_FIELDS + 1,
      fields: MAX_OTHER_FIELDS,
      parts: MAX_OTHER_FIELDS + 2,
      fieldSize: MAX_OTHER_FIELDS_BYTES,
      headerPairs: 20,
    },
    streamHandler: (request: Readable, parser: Writable): void => {
      ignoreFields(parser);
      pipeUntilRefused(request, parser);
    },
  };
  // `single` would refuse a form by the name of its first file; which error is right depends on all of its files.
  const parse = multer(options).any();
  return async (body, response) => {
    await parse({ req: body, res: response }, async () => undefined);
    return body as ParsedForm;
  };
}

/** multer unpipes when it is done with a form, and if it refuses it goes on to read the rest: that ends it there. */
function pipeUntilRefused(request: Readable, parser: Writable): void {
  parser.once('unpipe', () => request.destroy());
  request.pipe(parser);
}

/**
 * Takes the fields of a form from multer, which would build nested objects and arrays from names such as `a[b]` and
 * `a[4294967294]`. Names are not parsed, values are not kept, and their total size is bounded.
 */
function ignoreFields(parser: Writable): void {
  let bytes = 0;
  parser.removeAllListeners('field');
  parser.on('field', (name: string | undefined, value: string | undefined, facts: FieldFacts) => {
    bytes += Buffer.byteLength(value ?? '');
    if (!facts.valueTruncated && bytes <= MAX_OTHER_FIELDS_BYTES) return;
    // The bytes of a picture whose part has no file name arrive as a field.
    parser.emit('error', name === FILE_FIELD ? new FileRequired() : tooManyFields());
  });
}

/** What busboy reports about a field besides its name and its value, which is undefined if its charset is unknown. */
interface FieldFacts {
  readonly valueTruncated: boolean;
}

const FILES_SEEN = new WeakMap<object, number>();

/** Synchronous on purpose: multer's asynchronous filters were the source of several of its advisories. */
function onlyTheFile(
  request: object,
  file: { fieldname: string; originalname: string },
  done: FileFilterCallback,
): void {
  try {
    const name = parseOriginalName(file.originalname);
    if (name === undefined) return done(null, false);
    const seen = (FILES_SEEN.get(request) ?? 0) + 1;
    FILES_SEEN.set(request, seen);
    if (seen > 1) throw new RequestError('too_many_files', 'The form has more than one file part');
    file.originalname = name;
    done(null, file.fieldname === FILE_FIELD);
  } catch (error) {
    done(error as Error);
  }
}

/** The file that a form brings into the staging area: there is one at most, `onlyTheFile` sees to that. */
const RECEIVED = new WeakMap<object, Promise<StagedFile>>();

/** multer gives up on a form without waiting for its file; an answer must not, for the file would outlive it. */
async function discardReceived(body: UploadBody): Promise<void> {
  const staged = await RECEIVED.get(body)?.catch(() => undefined);
  await staged?.discard();
}

function stagingEngine(staging: StagingArea, maxBytes: number): StorageEngine {
  const limits = { maxBytes, checkHead: refuseOtherKinds };
  return {
    _handleFile: (request, file, done): void => {
      // multer takes the first error it hears of: a stream destroyed by the refusal would speak before the refusal does.
      const bytes = file.stream.iterator({ destroyOnReturn: false });
      const received = staging.receive(bytes, limits);
      RECEIVED.set(request, received);
      received.then(
        (staged) => done(null, { staged } as object),
        (error: unknown) => done(error),
      );
    },
    // What a refused form has brought is discarded when its file has arrived: see `discardReceived`.
    _removeFile: (_request, _file, done): void => done(null),
  };
}

function refuseOtherKinds(head: Uint8Array): void {
  if (mediaTypeOf(head) === undefined) throw new UnsupportedMediaType();
}

function theOneFile({ files }: ParsedForm): ReceivedFile {
  if (files === undefined) throw malformedForm();
  const [file] = files;
  if (file?.staged === undefined) throw new FileRequired();
  return { originalName: file.originalname, staged: file.staged };
}

function malformedForm(cause?: Error): RequestError {
  return new RequestError('invalid_request', 'The multipart form is malformed or incomplete', {}, { cause });
}

function tooManyFields(): RequestError {
  return new RequestError(
    'invalid_request',
    `The form has more than ${MAX_OTHER_FIELDS} fields or ${MAX_OTHER_FIELDS_BYTES} bytes besides the file`,
  );
}

/** What a form's failure is to the client: multer's codes, and the parser's errors, which have none. */
function formError(error: unknown, maxFileBytes: number): unknown {
  if (error instanceof CatalogError || error instanceof RequestError) return error;
  if (error instanceof MulterError) return multerError(error, maxFileBytes);
  if (error instanceof Error && error.constructor === Error && !('code' in error)) {
    return malformedForm(error);
  }
  return error;
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
