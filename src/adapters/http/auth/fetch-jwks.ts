/** RFC 7517, section 5. Its entries are not checked yet. */
export interface JwkSet {
  readonly keys: readonly unknown[];
}

const MAX_BYTES = 256 * 1024;

/**
 * jwks-rsa 4.1 (src/wrappers/request.js) waits forever for a body that stops, and reads bodies of any size.
 *
 * @param deadlineMs from the call to the last byte
 * @throws {Error}
 */
export async function fetchJwks(uri: string, deadlineMs: number): Promise<JwkSet> {
  const response = await fetch(uri, {
    redirect: 'error',
    signal: AbortSignal.timeout(deadlineMs),
    // A pooled connection fails if the server closes it at the moment it is used again.
    headers: { accept: 'application/json', connection: 'close' },
  });
  return parse(await readBody(response));
}

async function readBody(response: Response): Promise<Buffer> {
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new Error(`The JWKS endpoint responded with ${response.status}`);
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Leaving the loop cancels the download.
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new Error(`The JWKS endpoint sent more than ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function parse(body: Buffer): JwkSet {
  const set: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  if (!isJwkSet(set)) throw new Error('The JWKS endpoint sent no JWK Set');
  return set;
}

function isJwkSet(value: unknown): value is JwkSet {
  return typeof value === 'object' && value !== null && 'keys' in value && Array.isArray(value.keys);
}
