import type { ErrorCode } from '../error-response.ts';

interface ErrorMeaning {
  readonly when: string;
  /** A message that the service sends. */
  readonly message: string;
}

export const ERROR_MEANINGS: Readonly<Record<ErrorCode, ErrorMeaning>> = {
  invalid_request: {
    when: 'A parameter, a header, the id or the body is ill-formed; the message names it.',
    message: 'Query parameter "foo" is not known',
  },
  file_required: {
    when: 'The form has no file part named `file`, or an empty one.',
    message: 'A file part named "file" is required',
  },
  too_many_files: {
    when: 'The form has more than one file part.',
    message: 'The form has more than one file part',
  },
  digest_mismatch: {
    when: '`X-Content-SHA256` differs from the bytes.',
    message: 'The SHA-256 of the received bytes differs from X-Content-SHA256',
  },
  credentials_required: {
    when: 'The request has no access token.',
    message: 'No authorization token was found',
  },
  invalid_token: {
    when: 'The access token is malformed, expired, or not for this service.',
    message: 'jwt expired',
  },
  insufficient_scope: {
    when: 'The service requires a scope that the token does not have.',
    message: 'The scope images:read is required',
  },
  link_invalid: { when: 'The signed link is not one of this catalog.', message: 'This link is not valid' },
  image_not_found: { when: 'No image has this id.', message: 'There is no image with this id' },
  not_found: {
    when: 'The path is not known, or the service is not configured for it.',
    message: 'There is nothing at this path',
  },
  method_not_allowed: {
    when: 'The path is known with other methods.',
    message: 'The path knows DELETE, GET, HEAD',
  },
  not_acceptable: {
    when: 'Nothing that `Accept` allows can be served.',
    message: 'Only application/json, image/png can be served',
  },
  request_timeout: {
    when: 'The body stopped coming for 30 seconds.',
    message: 'The request body has stopped coming',
  },
  idempotency_key_in_use: {
    when: 'An upload with this `Idempotency-Key` is under way.',
    message: 'An upload with this Idempotency-Key is under way',
  },
  link_expired: { when: 'The signed link has expired.', message: 'This link has expired' },
  precondition_failed: {
    when: 'A precondition such as `If-Match` does not hold.',
    message: 'The image does not match If-Match',
  },
  file_too_large: {
    when: 'The file is larger than the service allows.',
    message: 'The file is larger than 52428800 bytes',
  },
  request_too_large: {
    when: 'The body is larger than the operation allows.',
    message: 'The request body is larger than 262144 bytes',
  },
  unsupported_media_type: {
    when: 'The body has another media type or a `Content-Encoding`, or the file is neither JPEG nor PNG.',
    message: 'A request with a Content-Encoding is not supported',
  },
  range_not_satisfiable: {
    when: 'The range begins beyond the end.',
    message: 'There are 240512 bytes',
  },
  misdirected_request: {
    when: 'The `Host` is not one of this listener.',
    message: 'This listener serves localhost and IP addresses only',
  },
  idempotency_key_reused: {
    when: 'The `Idempotency-Key` was used for other bytes.',
    message: 'This Idempotency-Key was used for other bytes',
  },
  invalid_image: {
    when: 'A JPEG or PNG that is truncated, corrupt or beyond the limits.',
    message: 'The image/png file is truncated or corrupt',
  },
  internal_error: {
    when: 'A fault of the service; its log has the request id.',
    message: 'An unexpected error occurred',
  },
  overloaded: {
    when: 'Too much work is in progress; retry after `Retry-After` seconds.',
    message: 'The service is busy; try again in a moment',
  },
  read_only: {
    when: 'The catalog is read-only; retry after `Retry-After` seconds.',
    message: 'The catalog is read-only at the moment',
  },
  storage_unavailable: {
    when: 'The database or the blob store is unavailable; retry after `Retry-After` seconds.',
    message: 'The storage is not available at the moment',
  },
};
