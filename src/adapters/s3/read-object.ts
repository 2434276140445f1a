import type { Readable } from 'node:stream';
import { StallTimer } from '../../application/stall-timer.ts';
import { inMemory, type OpenedBlob } from '../../domain/ports/readable-bytes.ts';
import { translated } from './s3-errors.ts';

/** Up to this many bytes are read in one go: the connection is free again before a slow client has begun to read. */
const READ_WHOLE_BYTES = 256 * 1024;

interface Reading {
  /** What was asked, for messages. */
  readonly what: string;
  /** How long the server may send nothing while somebody waits for it. */
  readonly stallMs: number;
}

/** The bytes of an answer that has begun. They hold a connection until they are read to the end, left, or closed. */
export async function readObject(
  body: Readable,
  length: number,
  reading: Reading,
): Promise<Pick<OpenedBlob, 'buffered' | 'read' | 'close'>> {
  // An error that comes while nobody reads is found by whoever reads next.
  body.on('error', () => {});
  const bytes = watched(body, reading);
  if (length <= READ_WHOLE_BYTES) return inMemory(await collect(bytes));
  return { read: () => bytes, close: () => closed(body) };
}

async function collect(bytes: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of bytes) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/**
 * Breaks where the server stalls, but not where the reader does: a slow client may take its time. Ends cleanly only at the end of
 * what the server has announced.
 */
async function* watched(
  body: Readable,
  { what, stallMs }: Reading,
): AsyncGenerator<Uint8Array, void, undefined> {
  const chunks = body[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  const stall = new StallTimer(stallMs, () => {
    body.destroy(new Error(`The server has sent nothing for ${stallMs} ms`));
  });
  try {
    for (;;) {
      stall.restart();
      const { value, done } = await chunks.next();
      stall.stop();
      if (done === true) return;
      yield value;
    }
  } catch (error) {
    throw translated(what, error);
  } finally {
    stall.stop();
    body.destroy();
  }
}

async function closed(body: Readable): Promise<void> {
  if (body.closed) return;
  await new Promise<void>((resolve) => {
    body.once('close', resolve);
    body.destroy();
  });
}
