import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { pipeline } from 'node:stream/promises';
import { CatalogError, networkError } from '../catalog-error.ts';
import { type Platform, type UploadRequest, type UploadSource, wait } from './platform.ts';

/** Without a byte in either direction, in ms. The service responds earlier. */
const IDLE_TIMEOUT_MS = 120_000;

/** Read into memory before it is sent. */
const SMALL_BYTES = 64 * 1024;

/** Addresses of files and archives, whose bodies may have any length. */
const FILE = /\/(?:file|archive)$/;

/** Several times the longest JSON of the service: 1,000 records. */
const MAX_JSON_BYTES = 64 * 1024 * 1024;

/** The response to an upload is one record, or an error. */
const MAX_UPLOAD_RESPONSE_BYTES = 4 * 1024 * 1024;

export const nodePlatform: Platform<UploadSource> = {
  sha256: async (source) => {
    const hash = createHash('sha256');
    for await (const chunk of source.stream()) hash.update(chunk);
    return hash.digest('hex');
  },
  upload,
  fetch: async (url, init) => {
    const response = await fetch(url, init);
    const { ok, body, status } = response;
    if (body === null || (ok && FILE.test(url.pathname))) return response;
    const bytes = await readWithin(body, MAX_JSON_BYTES);
    return new Response(readableBody(status, bytes), response);
  },
  wait,
};

/** The body of an error without what is neither a code nor a message: a hostile service could send objects in their place. */
function readableBody(status: number, bytes: Buffer<ArrayBuffer>): Buffer<ArrayBuffer> | string {
  if (status < 400) return bytes;
  try {
    return JSON.stringify(
      JSON.parse(bytes.toString(), (key, value: unknown) =>
        key === '' || typeof value === 'string' ? value : undefined,
      ),
    );
  } catch {
    return '';
  }
}

function tooLong(): CatalogError {
  const facts = { code: 'unexpected_response', status: 200 };
  return new CatalogError('The service has sent a longer response than it can', facts);
}

/** Not with `fetch`: the length of its streams is unknown, so the service could not refuse a large file at once. */
async function upload(request: UploadRequest<UploadSource>): Promise<Response> {
  const { signal } = request;
  signal?.throwIfAborted();
  const outgoing = open(request);
  const sent = new SentFile(request);
  try {
    return await responseTo(outgoing, sent.form(), request.source.size <= SMALL_BYTES);
  } catch (error) {
    signal?.throwIfAborted();
    throw sent.error ?? networkError(error);
  } finally {
    // The service may respond before it has read the whole form.
    outgoing.destroy();
  }
}

function open({ url, headers, head, tail, source, signal }: UploadRequest<UploadSource>): ClientRequest {
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
  const outgoing = send(url, {
    method: 'POST',
    headers: { ...headers, 'Content-Length': head.length + source.size + tail.length },
    timeout: IDLE_TIMEOUT_MS,
    ...(signal !== undefined && { signal }),
  });
  outgoing.once('timeout', () => outgoing.destroy(new Error('The connection is idle')));
  return outgoing;
}

/** One packet instead of three. */
async function sendAtOnce(form: AsyncIterable<Uint8Array>, outgoing: ClientRequest): Promise<void> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of form) chunks.push(chunk);
  outgoing.end(Buffer.concat(chunks));
}

async function responseTo(
  outgoing: ClientRequest,
  form: AsyncIterable<Uint8Array>,
  isSmall: boolean,
): Promise<Response> {
  const responded = once(outgoing, 'response') as Promise<[IncomingMessage]>;
  const sent = isSmall ? sendAtOnce(form, outgoing) : pipeline(form, outgoing);
  // After an early response, an error while sending does not matter.
  outgoing.on('error', () => undefined);
  const [incoming] = await Promise.race([responded, sent.then(() => responded)]);
  const body = await readWithin(incoming, MAX_UPLOAD_RESPONSE_BYTES);
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) headers.set(name, String(value));
  const status = incoming.statusCode ?? 0;
  return new Response(readableBody(status, body), { status, headers });
}

async function readWithin(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Buffer<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw tooLong();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Tells errors of the source from errors of the network. */
class SentFile {
  readonly #request: UploadRequest<UploadSource>;
  error: unknown;

  constructor(request: UploadRequest<UploadSource>) {
    this.#request = request;
  }

  async *form(): AsyncGenerator<Uint8Array, void, undefined> {
    const { head, tail, source } = this.#request;
    yield head;
    try {
      yield* this.#file(source);
    } catch (error) {
      this.error = error;
      throw error;
    }
    yield tail;
  }

  async *#file(source: UploadSource): AsyncGenerator<Uint8Array, void, undefined> {
    const { size } = source;
    let loaded = 0;
    // Not detached: a Blob needs itself as `this`.
    for await (const chunk of source.stream()) {
      loaded += chunk.length;
      if (loaded > size) break;
      yield chunk;
      this.#request.onProgress?.({ loaded, total: size });
    }
    if (loaded !== size) throw new Error('The size of the file has changed');
  }
}
