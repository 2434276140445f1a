import type { IncomingMessage } from 'node:http';
import { readBody } from '../outgoing/read-body.ts';
import { responseTo } from '../outgoing/response-to.ts';

/** RFC 7517, section 5. Its entries are not checked yet. */
export interface JwkSet {
  readonly keys: readonly unknown[];
}

/** After decompression. */
const MAX_BYTES = 256 * 1024;

/** Some firewalls refuse requests without `User-Agent`, and some servers offer nothing but `application/jwk-set+json`. */
const HEADERS = {
  accept: 'application/jwk-set+json, application/json;q=0.9, */*;q=0.1',
  'user-agent': 'image-catalog',
};

/** jwks-rsa 4.1 (src/wrappers/request.js) waits forever for a body that stops, and reads bodies of any size. */
export async function fetchJwks(uri: string, deadlineMs: number): Promise<JwkSet> {
  const signal = AbortSignal.timeout(deadlineMs);
  try {
    return await fetchWithin(uri, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new Error(`The JWKS endpoint sent no complete response within ${deadlineMs / 1000} s`, {
      cause: error,
    });
  }
}

async function fetchWithin(uri: string, signal: AbortSignal): Promise<JwkSet> {
  const response = await followOnce(uri, signal);
  const text = new TextDecoder('utf-8', { fatal: true }).decode(await readBody(response, MAX_BYTES));
  const set = parse(text);
  if (!Array.isArray(set?.keys)) throw new Error('The JWKS endpoint sent no JWK Set');
  return { keys: set.keys };
}

/** Rejects unless the status is 200. Follows one redirect, within the origin: another server must not name the keys. */
async function followOnce(uri: string, signal: AbortSignal): Promise<IncomingMessage> {
  const first = await get(uri, signal);
  const target = redirectTarget(first, uri);
  if (target === undefined) return requireOk(first, uri);
  first.destroy();
  const redirect = `The JWKS endpoint redirects (${first.statusCode}) to ${shown(target)}`;
  if (target.origin !== new URL(uri).origin) {
    throw new Error(`${redirect}, which is another server. Set IDP_JWKS_URI to the address of the keys`);
  }
  // A second request to the same address would not count against the limit of requests to it.
  if (target.href === new URL(uri).href) throw new Error(`${redirect}, which is itself`);
  const second = await get(target.href, signal);
  const next = redirectTarget(second, target.href);
  if (next === undefined) return requireOk(second, target.href);
  second.destroy();
  throw new Error(
    `${redirect}, which redirects again, to ${shown(next)}. Set IDP_JWKS_URI to the address of the keys`,
  );
}

async function get(uri: string, signal: AbortSignal): Promise<IncomingMessage> {
  return await responseTo(uri, { signal, headers: HEADERS }, (request) => request.end());
}

function requireOk(response: IncomingMessage, uri: string): IncomingMessage {
  if (response.statusCode === 200) return response;
  response.destroy();
  throw new Error(`The JWKS endpoint ${shown(new URL(uri))} responded with ${response.statusCode}`);
}

/** `undefined` if the response is no redirect (RFC 9110, section 15.4). */
function redirectTarget({ statusCode = 0, headers }: IncomingMessage, uri: string): URL | undefined {
  const { location } = headers;
  if (![301, 302, 303, 307, 308].includes(statusCode) || location === undefined) return undefined;
  if (!URL.canParse(location, uri)) return undefined;
  const target = new URL(location, uri);
  target.hash = '';
  return target;
}

/** Without user, password and query, which may be secret. */
function shown({ protocol, host, pathname }: URL): string {
  return `${protocol}//${host}${pathname}`.slice(0, 300);
}

function parse(text: string): Partial<JwkSet> | null {
  try {
    return JSON.parse(text) as Partial<JwkSet> | null;
  } catch {
    // The error of the parser quotes the text.
    throw new Error('The JWKS endpoint sent no JSON');
  }
}
