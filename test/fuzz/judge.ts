import type { DescribedApi } from '../support/openapi/described-api.ts';
import type { FuzzRequest } from './fuzz-request.ts';
import type { WireResponse } from './response-reader.ts';

const SUCCESS = new Set([200, 201, 204, 206, 304]);

/**
 * @throws {Error} saying what is wrong with a response
 *
 * @param target as sent
 * @param api the description that the service gives of itself
 */
export function judge(request: FuzzRequest, target: string, response: WireResponse, api: DescribedApi): void {
  const { status, headers, body } = response;
  const path = pathOf(target) ?? '/';
  const problem =
    problemOfStatus(request, status) ??
    problemOfAuthentication(request, path, status) ??
    (SUCCESS.has(status) ? undefined : problemOfError(request, response));
  if (problem !== undefined) throw new Error(problem);
  if (headers['x-request-id'] === undefined) throw new Error('responds without X-Request-Id');
  const isJson = headers['content-type']?.startsWith('application/json') === true;
  const text = isJson ? body.toString() : undefined;
  api.check({ method: request.method, path }, { status, headers, text });
}

function problemOfStatus({ expected }: FuzzRequest, status: number): string | undefined {
  if (status === 500) return 'returns 500';
  if (expected === undefined || expected.includes(status)) return undefined;
  return `returns ${status} instead of ${expected.join(' or ')}`;
}

/** Responses that do not depend on the token: to malformed HTTP and to public paths. */
const BELOW_AUTHENTICATION = new Set([400, 408, 431]);

function problemOfAuthentication(
  { method, token, headers }: FuzzRequest,
  path: string,
  status: number,
): string | undefined {
  const isGood = token.kind === 'valid' || token.kind === 'lower-case scheme';
  if (isGood) return status === 401 ? 'refuses a good token' : undefined;
  const isPreflight =
    method === 'OPTIONS' && headers.some(([name]) => name === 'Access-Control-Request-Method');
  const isOpen = path === '/' && (method === 'GET' || method === 'HEAD');
  if (status === 401 || BELOW_AUTHENTICATION.has(status) || isPreflight || isOpen) return undefined;
  return `returns ${status} without a good token`;
}

/** The path of an absolute URL as browsers parse it, with `..` resolved. */
function pathOf(target: string): string | undefined {
  return URL.canParse(target) ? new URL(target).pathname : target.trim().split('?')[0];
}

function problemOfError({ method }: FuzzRequest, { headers, body }: WireResponse): string | undefined {
  if (method === 'HEAD') return body.length === 0 ? undefined : 'returns a body for HEAD';
  if (headers['content-type'] !== 'application/json; charset=utf-8') {
    return 'returns an error that is not JSON';
  }
  const { code, message, ...others } = JSON.parse(body.toString('utf8')) as Record<string, unknown>;
  if (typeof code !== 'string' || typeof message !== 'string' || Object.keys(others).length > 0) {
    return 'returns an error that is not a code and a message';
  }
  return undefined;
}
