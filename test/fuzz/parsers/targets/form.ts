import { Readable } from 'node:stream';
import { RequestError } from '../../../../src/adapters/http/errors/request-error.ts';
import { receiveFile } from '../../../../src/adapters/http/upload/receive-file.ts';
import { UploadForm } from '../../../../src/adapters/http/upload/upload-form.ts';
import { systemTimer } from '../../../../src/adapters/system/system-timer.ts';
import { DomainError } from '../../../../src/domain/errors.ts';
import { checkPatch } from '../../../../src/domain/image/check-patch.ts';
import { MEDIA_TYPES } from '../../../../src/domain/image/media-type.ts';
import { InMemoryStagingArea } from '../../../support/doubles/in-memory-staging-area.ts';
import { pngBytes } from '../../../support/fixtures/bytes.ts';
import {
  BOUNDARY,
  FORM_TYPE,
  fieldPart,
  filePart,
  multipart,
  partWith,
} from '../../../support/fixtures/multipart.ts';
import { declaringLater, guarantee, guaranteeSame, type ParserTarget } from './parser-target.ts';

const LIMITS = {
  maxFileBytes: 4 * 1024,
  acceptedTypes: MEDIA_TYPES,
  takesMetadata: true,
  timer: systemTimer,
  stallTimeoutMs: 10_000,
};
const METADATA = '{"title":"Cat","tags":["tabby"]}';

/** The first line is the `Content-Type`. */
function request(form: Uint8Array, type = FORM_TYPE): Uint8Array {
  return Buffer.concat([Buffer.from(`${type}\n`), form]);
}

export const form: ParserTarget = {
  tokens: [
    `--${BOUNDARY}\r\n`,
    `\r\n--${BOUNDARY}--\r\n`,
    'Content-Disposition: form-data; name="file"; filename="a.png"\r\n',
    'Content-Type: image/png\r\n\r\n',
    'Content-Type: text/plain; charset=utf-16le\r\n\r\n',
    'Content-Transfer-Encoding: base64\r\n',
    "; filename*=utf-8''%e2%82%ac",
    "; filename*=utf-16le''%00%d8",
    '%00%d8',
    "; filename*=iso-8859-1'en'%e9",
    '; name="metadata"',
    '\r\n\r\n',
    '\x89PNG\r\n\x1a\n',
    METADATA,
    '"; ',
    '\\"',
    '%00',
    '../',
    'a[b][c]',
  ],
  seeds: [
    request(multipart([filePart(pngBytes()), fieldPart('metadata', METADATA)])),
    request(
      multipart([
        partWith("form-data; name=file; filename*=utf-8''c%C3%A4t.png", pngBytes()),
        fieldPart('a[b]', 'c'),
      ]),
    ),
    request(multipart([partWith("form-data; name=file; filename*=utf-16le''a%00b%00", pngBytes())])),
    request(
      multipart([
        fieldPart('file', 'x'),
        filePart(new Uint8Array(), '', 'file'),
        filePart(pngBytes(), 'b.png'),
      ]),
    ),
  ],
  maxBytes: 16 * 1024,
  sources: [
    '/src/adapters/http/upload/',
    '/node_modules/multer/',
    '/node_modules/busboy/',
    '/original-file-name.ts',
  ],
  run: async (input) => {
    const staging = new InMemoryStagingArea();
    const upload = new UploadForm(staging, LIMITS);
    const received = await declaringLater([RequestError, DomainError], () =>
      receiveFile(contextOf(input), upload, { ...LIMITS, slot: { setArriving: () => {} } }).catch(
        refuseStall,
      ),
    );
    if (received !== undefined) checkReceived(received);
    await upload.discard();
    guarantee(staging.fileCount === 0, 'no staged file is left');
  },
};

type Received = Awaited<ReturnType<typeof receiveFile>>;

function checkReceived({ originalName, staged, metadata = {} }: Received): void {
  guarantee(!/[/\\\p{Cc}]/u.test(originalName) && originalName !== '', 'a name is no path');
  guarantee(!/\p{Cs}/u.test(originalName), 'a name can be stored as UTF-8');
  guarantee(staged.size > 0 && staged.size <= LIMITS.maxFileBytes, 'a file is within the limit');
  guaranteeSame(checkPatch(metadata), metadata, 'metadata is canonical');
}

/** A body that has arrived whole cannot stall. */
function refuseStall(error: unknown): never {
  const isStall = error instanceof RequestError && error.code === 'request_timeout';
  throw isStall ? new Error('the form waits for more') : error;
}

function contextOf(input: Uint8Array): Parameters<typeof receiveFile>[0] {
  const lineEnd = Math.max(0, input.indexOf(10));
  const type = Buffer.from(input.subarray(0, lineEnd)).toString('latin1');
  const body = Buffer.from(input.subarray(lineEnd + 1));
  const cut = Math.floor(body.length / 3);
  const req = Object.assign(
    Readable.from([body.subarray(0, cut), body.subarray(cut)], { objectMode: false }),
    {
      headers: { 'content-type': type, 'transfer-encoding': 'chunked' },
    },
  );
  return { req, res: {} } as unknown as Parameters<typeof receiveFile>[0];
}
