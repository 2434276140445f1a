import { responseTo } from '../outgoing/response-to.ts';

/** RFC 7517, section 5. Its entries are not checked yet. */
export interface JwkSet {
  readonly keys: readonly unknown[];
}

const MAX_BYTES = 256 * 1024;

/** jwks-rsa 4.1 (src/wrappers/request.js) waits forever for a body that stops, and reads bodies of any size. */
export async function fetchJwks(uri: string, deadlineMs: number): Promise<JwkSet> {
  const options = { signal: AbortSignal.timeout(deadlineMs), headers: { accept: 'application/json' } };
  const response = await responseTo(uri, options, (request) => request.end());
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
  const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  const set = JSON.parse(text) as Partial<JwkSet> | null;
  if (!Array.isArray(set?.keys)) throw new Error('The JWKS endpoint sent no JWK Set');
  return { keys: set.keys };
}
