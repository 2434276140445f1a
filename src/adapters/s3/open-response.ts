import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { GetObjectCommandOutput } from '@aws-sdk/client-s3';
import { inMemory, type OpenedBlob } from '../../domain/ports/bytes/readable-bytes.ts';
import { requireObject } from './require-object.ts';
import { translateError } from './translating-s3-errors.ts';

/** Read at once: a slow client must not hold a connection for them. */
const READ_WHOLE_BYTES = 256 * 1024;

interface Reading {
  readonly what: string;
  /** Time without a byte while a reader waits. */
  readonly stallMs: number;
}

/** A large one holds a connection until it is read, left or closed. */
export async function openResponse(response: GetObjectCommandOutput, reading: Reading): Promise<OpenedBlob> {
  const { ContentLength, ContentRange } = response;
  // Always a stream in Node.js; the type covers all platforms.
  const body = response.Body as Readable;
  if (response.ETag === undefined || ContentLength === undefined) body.destroy();
  requireObject(response);
  // Without it, an object that was cut off on the way would look complete.
  if (ContentLength === undefined) throw new Error('The response has no Content-Length');
  const whole = /\/(\d+)$/.exec(ContentRange ?? '')?.[1];
  const size = whole === undefined ? ContentLength : Number(whole);
  // The next read reports an error that comes between two reads.
  body.on('error', () => {});
  const bytes = watched(body, reading);
  if (ContentLength <= READ_WHOLE_BYTES) return { ...inMemory(await buffer(bytes)), size };
  return { size, read: () => bytes, close: () => closeBody(body) };
}

/** Fails if the server stalls, but not if the reader does. Ends without an error only at the announced length. */
async function* watched(
  body: Readable,
  { what, stallMs }: Reading,
): AsyncGenerator<Uint8Array, void, undefined> {
  const chunks = body[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  const giveUp = (): void => {
    body.destroy(new Error(`The server has sent nothing for ${stallMs} ms`));
  };
  try {
    for (;;) {
      const stall = setTimeout(giveUp, stallMs);
      const { value, done } = await chunks.next().finally(() => clearTimeout(stall));
      if (done === true) return;
      yield value;
    }
  } catch (error) {
    throw translateError(what, error);
  } finally {
    body.destroy();
  }
}

async function closeBody(body: Readable): Promise<void> {
  body.destroy();
  if (!body.closed) await once(body, 'close').catch(() => undefined);
}
