import type { WireResponse } from './answer-reader.ts';
import { type FuzzRequest, GOOD_TOKENS } from './requests.ts';

/** Every code of the contract with its status, and those returned below the application (section 6). */
const STATUS_OF: Readonly<Record<string, readonly number[]>> = {
  invalid_request: [400, 431],
  file_required: [400],
  too_many_files: [400],
  digest_mismatch: [400],
  credentials_required: [401],
  invalid_token: [401],
  insufficient_scope: [403],
  image_not_found: [404],
  not_found: [404],
  method_not_allowed: [405],
  not_acceptable: [406],
  request_timeout: [408],
  idempotency_key_in_use: [409],
  precondition_failed: [412],
  file_too_large: [413],
  request_too_large: [413],
  unsupported_media_type: [415],
  range_not_satisfiable: [416],
  idempotency_key_reused: [422],
  invalid_image: [422],
  overloaded: [503],
  storage_unavailable: [503],
};

const SUCCESS = new Set([200, 201, 204, 206, 304]);

/** Headers that a response of this status must have. */
const REQUIRED: Readonly<Record<number, string>> = {
  201: 'location',
  206: 'content-range',
  401: 'www-authenticate',
  405: 'allow',
  409: 'retry-after',
  416: 'content-range',
  503: 'retry-after',
};

/** A short description of what is wrong with a response; `undefined` if it is correct. */
export function problemOf(request: FuzzRequest, response: WireResponse): string | undefined {
  const problems = [
    problemOfStatus(request, response),
    problemOfAuthentication(request, response),
    SUCCESS.has(response.status) ? undefined : problemOfError(request, response),
    problemOfHeaders(response),
  ];
  return problems.find((problem) => problem !== undefined);
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

function problemOfError(
  { method }: FuzzRequest,
  { status, headers, body }: WireResponse,
): string | undefined {
  if (method === 'HEAD') return body.length === 0 ? undefined : 'returns a body for HEAD';
  if (headers['content-type'] !== 'application/json; charset=utf-8') {
    return 'returns an error that is not JSON';
  }
  const { code, message, ...others } = JSON.parse(body.toString('utf8')) as Record<string, unknown>;
  if (typeof code !== 'string' || typeof message !== 'string' || Object.keys(others).length > 0) {
    return 'returns an error that is not a code and a message';
  }
  return STATUS_OF[code]?.includes(status) === true
    ? undefined
    : `returns ${status} ${code}, which is not declared`;
}

function problemOfHeaders({ status, headers }: WireResponse): string | undefined {
  if (headers['x-request-id'] === undefined) return 'responds without X-Request-Id';
  if (headers['set-cookie'] !== undefined) return 'sets a cookie';
  const required = REQUIRED[status];
  return required === undefined || headers[required] !== undefined
    ? undefined
    : `returns ${status} without ${required}`;
}
