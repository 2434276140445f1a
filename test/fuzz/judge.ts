import type { DescribedApi } from '../support/openapi/described-api.ts';
import type { WireResponse } from './answer-reader.ts';
import { type FuzzRequest, GOOD_TOKENS } from './requests.ts';

const SUCCESS = new Set([200, 201, 204, 206, 304]);

/**
 * @throws {Error} saying what is wrong with a response
 *
 * @param api the description that the service gives of itself
 */
export function judge(request: FuzzRequest, response: WireResponse, api: DescribedApi): void {
  const problem =
    problemOfStatus(request, response) ??
    problemOfAuthentication(request, response) ??
    (SUCCESS.has(response.status) ? undefined : problemOfError(request, response));
  if (problem !== undefined) throw new Error(problem);
  const { status, headers, body } = response;
  if (headers['x-request-id'] === undefined) throw new Error('responds without X-Request-Id');
  const isJson = headers['content-type']?.startsWith('application/json') === true;
  const path = pathOf(request.target) ?? '/';
  api.check(
    { method: request.method, path },
    { status, headers, text: isJson ? body.toString() : undefined },
  );
}

function problemOfStatus({ expected }: FuzzRequest, { status }: WireResponse): string | undefined {
  // Every request may get 503 while the service is busy.
  if (expected.length === 0 || status === 503 || expected.includes(status)) return undefined;
  return `returns ${status} instead of ${expected.join(' or ')}`;
}

/** Responses that do not depend on the token: to malformed HTTP and to public paths. */
const BELOW_AUTHENTICATION = new Set([400, 408, 431]);

function problemOfAuthentication(
  { method, target, token, headers }: FuzzRequest,
  { status }: WireResponse,
): string | undefined {
  const isGood = (GOOD_TOKENS as readonly string[]).includes(token.kind);
  if (isGood) return status === 401 ? 'refuses a good token' : undefined;
  const isPreflight =
    method === 'OPTIONS' && headers.some(([name]) => name === 'Access-Control-Request-Method');
  const isOpen = pathOf(target) === '/' && (method === 'GET' || method === 'HEAD');
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
