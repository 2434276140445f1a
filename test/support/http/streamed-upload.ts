import { request } from 'node:http';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { FORM_TYPE, multipart } from '../fixtures/multipart.ts';
import type { RunningCatalog } from '../servers/running-catalog.ts';

const PIECE_BYTES = 64 * 1024;

/** Uploads bytes without a copy of them; resolves to the status. */
export async function streamUpload(catalog: RunningCatalog, bytes: Buffer): Promise<number> {
  const head = Buffer.from(FORM_HEAD);
  const upload = request(new URL('api/upload', catalog.url), {
    method: 'POST',
    agent: false,
    headers: {
      authorization: catalog.bearer,
      'content-type': FORM_TYPE,
      'content-length': head.length + bytes.length + FORM_END.length,
    },
  });
  const answered = new Promise<number>((resolve, reject) => {
    upload.once('error', reject);
    upload.once('response', (response) => {
      text(response).then(() => resolve(response.statusCode ?? 0), reject);
    });
  });
  await Promise.all([answered, pipeline(Readable.from(pieces([head, bytes, FORM_END])), upload)]);
  return await answered;
}

const FORM_END = Buffer.concat([Buffer.from('\r\n'), multipart([])]);
const FORM_HEAD = `${FORM_END.toString().trim().slice(0, -2)}\r\nContent-Disposition: form-data; name="file"; filename="photo.jpg"\r\n\r\n`;

function* pieces(buffers: readonly Buffer[]): Generator<Buffer> {
  for (const buffer of buffers) {
    for (let start = 0; start < buffer.length; start += PIECE_BYTES) {
      yield buffer.subarray(start, start + PIECE_BYTES);
    }
  }
}
