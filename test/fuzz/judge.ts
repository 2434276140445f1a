import type { Answer } from './answer-reader.ts';
import { type FuzzRequest, GOOD_TOKENS } from './requests.ts';

/** Every code of the contract with its status, and those answered below the application (section 6). */
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
  unsupported_media_type: [415],
  range_not_satisfiable: [416],
  idempotency_key_reused: [422],
  invalid_image: [422],
  overloaded: [503],
  storage_unavailable: [503],
};

const SUCCESS = new Set([200, 201, 204, 206, 304]);

/** Headers without which an answer of this status is of no use. */
const REQUIRED: Readonly<Record<number, string>> = {
  201: 'location',
  206: 'content-range',
  401: 'www-authenticate',
  405: 'allow',
  409: 'retry-after',
  416: 'content-range',
  503: 'retry-after',
};

/** What is wrong with an answer, in a few words; `undefined` where nothing is. */
export function problemOf(request: FuzzRequest, answer: Answer): string | undefined {
  const problems = [
    problemOfStatus(request, answer),
    problemOfAuthentication(request, answer),
    SUCCESS.has(answer.status) ? undefined : problemOfError(request, answer),
    problemOfHeaders(answer),
  ];
  return problems.find((problem) => problem !== undefined);
}

function problemOfStatus({ expected }: FuzzRequest, { status }: Answer): string | undefined {
  // A service that is busy may say so to anybody.
  if (expected.length === 0 || status === 503 || expected.includes(status)) return undefined;
  return `answers ${status} where ${expected.join(' or ')} is due`;
}

/** Answered before anybody looks at the token: what is no HTTP, and what needs none. */
const BELOW_AUTHENTICATION = new Set([400, 408, 431]);

function problemOfAuthentication(
  { method, target, token, headers }: FuzzRequest,
  { status }: Answer,
): string | undefined {
  const isGood = (GOOD_TOKENS as readonly string[]).includes(token.kind);
  if (isGood) return status === 401 ? 'refuses a good token' : undefined;
  const isPreflight =
    method === 'OPTIONS' && headers.some(([name]) => name === 'Access-Control-Request-Method');
  const isOpen = pathOf(target) === '/' && (method === 'GET' || method === 'HEAD');
  if (status === 401 || BELOW_AUTHENTICATION.has(status) || isPreflight || isOpen) return undefined;
  return `answers ${status} without a good token`;
}

/** Of an absolute URL as browsers understand it, with `..` resolved. */
function pathOf(target: string): string | undefined {
  return URL.canParse(target) ? new URL(target).pathname : target.trim().split('?')[0];
}

function problemOfError({ method }: FuzzRequest, { status, headers, body }: Answer): string | undefined {
  if (method === 'HEAD') return body.length === 0 ? undefined : 'answers HEAD with a body';
  if (headers['content-type'] !== 'application/json; charset=utf-8')
    return 'answers an error that is not JSON';
  const { code, message, ...others } = JSON.parse(body.toString('utf8')) as Record<string, unknown>;
  if (typeof code !== 'string' || typeof message !== 'string' || Object.keys(others).length > 0)
    return 'answers an error that is not a code and a message';
  return STATUS_OF[code]?.includes(status) === true
    ? undefined
    : `answers ${status} ${code}, which is not declared`;
}

function problemOfHeaders({ status, headers }: Answer): string | undefined {
  if (headers['x-request-id'] === undefined) return 'answers without X-Request-Id';
  if (headers['set-cookie'] !== undefined) return 'sets a cookie';
  const required = REQUIRED[status];
  return required === undefined || headers[required] !== undefined
    ? undefined
    : `answers ${status} without ${required}`;
}
