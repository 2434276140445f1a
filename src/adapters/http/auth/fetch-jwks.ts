import { type IncomingMessage, get as overHttp } from 'node:http';
import { get as overHttps } from 'node:https';

/** RFC 7517, section 5. Its entries are not checked yet. */
export interface JwkSet {
  readonly keys: readonly unknown[];
}

const MAX_BYTES = 256 * 1024;

/**
 * jwks-rsa 4.1 (src/wrappers/request.js) waits forever for a body that stops, and reads bodies of any size. `fetch` would load
 * undici, which takes 40 ms of each start. Redirects are errors.
 *
 * @param deadlineMs from the call to the last byte
 * @throws {Error}
 */
export async function fetchJwks(uri: string, deadlineMs: number): Promise<JwkSet> {
  const body = await readBody(await responseOf(uri, AbortSignal.timeout(deadlineMs)));
  const set: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  if (!isJwkSet(set)) throw new Error('The JWKS endpoint sent no JWK Set');
  return set;
}

function responseOf(uri: string, signal: AbortSignal): Promise<IncomingMessage> {
  const get = uri.startsWith('https:') ? overHttps : overHttp;
  return new Promise((resolve, reject) => {
    // A pooled connection (`agent`) fails if the server closes it at the moment it is used again.
    get(uri, { agent: false, signal, headers: { accept: 'application/json' } })
      .once('response', resolve)
      .on('error', reject)
      // Without an error after an upgrade.
      .once('close', () => reject(new Error('The JWKS endpoint closed the connection')));
  });
}

async function readBody(response: IncomingMessage): Promise<Buffer> {
  if (response.statusCode !== 200) {
    response.destroy();
    throw new Error(`The JWKS endpoint responded with ${response.statusCode}`);
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Leaving the loop cancels the download.
  for await (const chunk of response as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new Error(`The JWKS endpoint sent more than ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function isJwkSet(value: unknown): value is JwkSet {
  return typeof value === 'object' && value !== null && 'keys' in value && Array.isArray(value.keys);
}
