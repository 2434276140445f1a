import http from 'node:http';
import https from 'node:https';

/** The outer shape of a JWK Set (RFC 7517, section 5); nothing is known of its entries yet. */
export interface JwkSet {
  readonly keys: readonly unknown[];
}

export interface FetchJwksOptions {
  /** Milliseconds from the call to the last byte. */
  readonly deadlineMs?: number;
  /** Bytes of the body. */
  readonly maxBytes?: number;
}

/**
 * Downloads a JWK Set. Unlike the request of jwks-rsa 4.1 (src/wrappers/request.js) it settles whatever the server does:
 * that one waits for ever on a body that stops or is cut off, and reads any amount.
 *
 * @throws {Error} where the answer is not a whole JWK Set with status 200 (redirects included), too large or too late
 */
export async function fetchJwks(uri: string, options: FetchJwksOptions = {}): Promise<JwkSet> {
  const { deadlineMs = 3_000, maxBytes = 256 * 1024 } = options;
  const request = open(new URL(uri));
  const deadline = rejectAfter(deadlineMs);
  try {
    return parse(await Promise.race([download(request, maxBytes), deadline.rejection]));
  } finally {
    deadline.cancel();
    request.destroy(); // What is left of a refused answer is not read.
  }
}

/** A connection of its own: a pooled one that the server is just closing would fail for nothing. */
function open(url: URL): http.ClientRequest {
  const options = { agent: false, headers: { accept: 'application/json', 'accept-encoding': 'identity' } };
  return url.protocol === 'https:' ? https.request(url, options) : http.request(url, options);
}

async function download(request: http.ClientRequest, maxBytes: number): Promise<Buffer> {
  const response = await answerTo(request);
  if (response.statusCode !== 200) throw new Error(`The JWKS endpoint answered ${response.statusCode}`);
  return readWhole(response, maxBytes);
}

function answerTo(request: http.ClientRequest): Promise<http.IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.once('response', resolve);
    request.on('error', reject);
    // Where the server switches protocols, there is neither a response nor an error.
    request.on('close', () => reject(new Error('The JWKS endpoint gave no answer')));
    request.end();
  });
}

/** Iterating throws where the connection closes before the body has ended. */
async function readWhole(response: http.IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw new Error(`The JWKS endpoint answered more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function parse(body: Buffer): JwkSet {
  const set: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  if (!isJwkSet(set)) throw new Error('The JWKS endpoint answered no JWK Set');
  return set;
}

function isJwkSet(value: unknown): value is JwkSet {
  return typeof value === 'object' && value !== null && 'keys' in value && Array.isArray(value.keys);
}

interface Deadline {
  readonly rejection: Promise<never>;
  cancel(): void;
}

function rejectAfter(milliseconds: number): Deadline {
  let timer: NodeJS.Timeout | undefined;
  const rejection = new Promise<never>((_, reject) => {
    const late = new Error(`The JWKS endpoint did not answer within ${milliseconds} ms`);
    timer = setTimeout(() => reject(late), milliseconds);
  });
  return { rejection, cancel: () => clearTimeout(timer) };
}
