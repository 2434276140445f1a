/** A header that only errors have; the document describes each: see `header-objects.ts`. */
export type ErrorHeader = 'challenge' | 'maybeChallenge' | 'retry' | 'maybeRetry' | 'size';

interface ErrorEntry {
  readonly status: number;
  readonly when: string;
  /** A message that the service sends. */
  readonly message: string;
  /** Besides those of every response. */
  readonly headers?: readonly ErrorHeader[];
}

const TABLE = {
  invalid_request: {
    status: 400,
    when: 'A parameter, a header, the id or the body is ill-formed; the message names it.',
    message: 'Query parameter "foo" is not known',
  },
  file_required: {
    status: 400,
    when: 'The form has no file part named `file`, or an empty one.',
    message: 'A file part named "file" is required',
  },
  too_many_files: {
    status: 400,
    when: 'The form has more than one file part.',
    message: 'The form has more than one file part',
  },
  digest_mismatch: {
    status: 400,
    when: '`X-Content-SHA256` differs from the bytes.',
    message: 'The SHA-256 of the received bytes differs from X-Content-SHA256',
  },
  credentials_required: {
    status: 401,
    when: 'The request has no access token.',
    message: 'No authorization token was found',
    headers: ['challenge'],
  },
  invalid_token: {
    status: 401,
    when: 'The access token is malformed, expired, or not for this service.',
    message: 'jwt expired',
    headers: ['challenge', 'maybeRetry'],
  },
  insufficient_scope: {
    status: 403,
    when: 'The service requires a scope that the token does not have.',
    message: 'The scope images:read is required',
    headers: ['maybeChallenge'],
  },
  space_missing: {
    status: 403,
    when: 'The service requires a claim that names the space of the caller, and the token has none that does.',
    message: 'The token names no space',
  },
  quota_exceeded: {
    status: 403,
    when: 'The image would pass a limit of its space, or have more than 100 names.',
    message: 'The space has no room for this image',
  },
  link_invalid: {
    status: 403,
    when: 'The signed link is not one of this catalog.',
    message: 'This link is not valid',
  },
  ticket_invalid: {
    status: 403,
    when: 'The ticket is not one of this catalog.',
    message: 'This ticket is not valid',
  },
  image_not_found: { status: 404, when: 'No image has this id.', message: 'There is no image with this id' },
  name_not_found: { status: 404, when: 'The name points to no image.', message: 'There is no such name' },
  not_found: {
    status: 404,
    when: 'The path is not known, or the service is not configured for it.',
    message: 'There is nothing at this path',
  },
  method_not_allowed: {
    status: 405,
    when: 'The path is known with other methods.',
    message: 'The path knows DELETE, GET, HEAD',
  },
  not_acceptable: {
    status: 406,
    when: 'Nothing that `Accept` allows can be served.',
    message: 'Only application/json, image/png can be served',
  },
  request_timeout: {
    status: 408,
    when: 'The body stopped coming for 30 seconds.',
    message: 'The request body has stopped coming',
  },
  idempotency_key_in_use: {
    status: 409,
    when: 'An upload with this `Idempotency-Key` or ticket is under way.',
    message: 'An upload with this idempotency key or ticket is under way',
    headers: ['retry'],
  },
  ticket_used: {
    status: 409,
    when: 'The ticket was used for other bytes.',
    message: 'This ticket was used for another file',
  },
  ticket_expired: { status: 410, when: 'The ticket has expired.', message: 'This ticket has expired' },
  link_expired: { status: 410, when: 'The signed link has expired.', message: 'This link has expired' },
  cursor_expired: {
    status: 410,
    when: 'The feed does not reach back to the cursor, or the catalog was restored: start again from a listing.',
    message: 'The feed of changes does not reach back to this cursor; start again from a listing',
  },
  precondition_failed: {
    status: 412,
    when: 'A precondition such as `If-Match` does not hold.',
    message: 'The image does not match If-Match',
  },
  file_too_large: {
    status: 413,
    when: 'The file is larger than the service allows.',
    message: 'The file is larger than 52428800 bytes',
  },
  request_too_large: {
    status: 413,
    when: 'The body is larger than the operation allows, or asks for too many changes at once.',
    message: 'The request body is larger than 262144 bytes',
  },
  unsupported_media_type: {
    status: 415,
    when: 'The body has another media type or a `Content-Encoding`, or the file is of no accepted type: the message then says what it is, as far as its first bytes tell.',
    message: 'A request with a Content-Encoding is not supported',
  },
  range_not_satisfiable: {
    status: 416,
    when: 'The range begins beyond the end.',
    message: 'There are 240512 bytes',
    headers: ['size'],
  },
  misdirected_request: {
    status: 421,
    when: 'The `Host` is not one of this listener.',
    message: 'This listener serves localhost and IP addresses only',
  },
  idempotency_key_reused: {
    status: 422,
    when: 'The `Idempotency-Key` was used for other bytes.',
    message: 'This Idempotency-Key was used for other bytes',
  },
  invalid_image: {
    status: 422,
    when: 'The image is truncated, corrupt or beyond the limits.',
    message: 'The image/png file is truncated or corrupt',
  },
  internal_error: {
    status: 500,
    when: 'A fault of the service; its log has the request id.',
    message: 'An unexpected error occurred',
  },
  overloaded: {
    status: 503,
    when: 'Too much work is in progress; retry after `Retry-After` seconds.',
    message: 'The service is busy; try again in a moment',
    headers: ['retry'],
  },
  read_only: {
    status: 503,
    when: 'The catalog is read-only; retry after `Retry-After` seconds.',
    message: 'The catalog is read-only at the moment',
    headers: ['retry'],
  },
  storage_unavailable: {
    status: 503,
    when: 'The database or the blob store is unavailable; retry after `Retry-After` seconds.',
    message: 'The storage is not available at the moment',
    headers: ['retry'],
  },
} as const satisfies Readonly<Record<string, ErrorEntry>>;

export type ErrorCode = keyof typeof TABLE;

/** Everything about an error of HTTP, by the code in its body. */
export const ERRORS: Readonly<Record<ErrorCode, ErrorEntry>> = TABLE;
