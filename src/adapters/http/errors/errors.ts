import * as z from 'zod';

interface ErrorEntry {
  readonly status: number;
  readonly when: string;
  /** Besides those of every response. */
  readonly headers?: z.ZodRawShape;
}

const challenge = z.string().meta({
  description: 'The challenge (RFC 6750); with 403 only if the token lacks a scope.',
  pattern: '^Bearer',
  examples: ['Bearer error="invalid_token", error_description="jwt expired"'],
});

const retryAfter = z
  .int()
  .min(1)
  .meta({
    description:
      'Seconds after which a retry makes sense; with 401 only if no signing key of the identity provider could be fetched yet.',
    examples: [5],
  });

const retry = { 'Retry-After': retryAfter };

const TABLE = {
  invalid_request: {
    status: 400,
    when: 'A parameter, a header, the id or the body is ill-formed; the message names it.',
  },
  file_required: { status: 400, when: 'The form has no file part named `file`, or an empty one.' },
  too_many_files: { status: 400, when: 'The form has more than one file part.' },
  digest_mismatch: { status: 400, when: '`X-Content-SHA256` differs from the bytes.' },
  credentials_required: {
    status: 401,
    when: 'The request has no access token.',
    headers: { 'WWW-Authenticate': challenge },
  },
  invalid_token: {
    status: 401,
    when: 'The access token is malformed, expired, or not for this service.',
    headers: { 'WWW-Authenticate': challenge, 'Retry-After': retryAfter.optional() },
  },
  insufficient_scope: {
    status: 403,
    when: 'The service requires a scope that the token does not have.',
    headers: { 'WWW-Authenticate': challenge.optional() },
  },
  space_missing: {
    status: 403,
    when: 'The service requires a claim that names the space of the caller, and the token has none that does.',
  },
  quota_exceeded: {
    status: 403,
    when: 'The image would pass a limit of its space, or have more than 100 names.',
  },
  link_invalid: { status: 403, when: 'The signed link is not one of this catalog.' },
  ticket_invalid: { status: 403, when: 'The ticket is not one of this catalog.' },
  image_not_found: { status: 404, when: 'No image has this id.' },
  name_not_found: { status: 404, when: 'The name points to no image.' },
  space_not_found: { status: 404, when: 'The space has neither an image nor a limit of its own.' },
  not_found: { status: 404, when: 'The path is not known, or the service is not configured for it.' },
  method_not_allowed: { status: 405, when: 'The path is known with other methods.' },
  not_acceptable: { status: 406, when: 'Nothing that `Accept` allows can be served.' },
  request_timeout: {
    status: 408,
    when: 'The body stopped coming for 30 seconds or came too slowly, or a slow upload gave its slot to another client.',
  },
  idempotency_key_in_use: {
    status: 409,
    when: 'An upload with this `Idempotency-Key` or ticket is under way.',
    headers: retry,
  },
  ticket_used: { status: 409, when: 'The ticket was used for other bytes.' },
  ticket_expired: { status: 410, when: 'The ticket has expired.' },
  link_expired: { status: 410, when: 'The signed link has expired.' },
  cursor_expired: {
    status: 410,
    when: 'The feed does not reach back to the cursor, or the catalog was restored: start again from a listing.',
  },
  precondition_failed: { status: 412, when: 'A precondition such as `If-Match` does not hold.' },
  file_too_large: { status: 413, when: 'The file is larger than the service allows.' },
  request_too_large: {
    status: 413,
    when: 'The body is larger than the operation allows, or asks for too many changes at once.',
  },
  unsupported_media_type: {
    status: 415,
    when: 'The body has another media type or a `Content-Encoding`, or the file is of no accepted type: the message then says what it is, as far as its first bytes tell.',
    headers: {
      'Accept-Patch': z
        .string()
        .optional()
        .describe('With PATCH: the media type that the operation takes (RFC 5789).'),
    },
  },
  range_not_satisfiable: {
    status: 416,
    when: 'The range begins beyond the end.',
    headers: {
      'Content-Range': z.string().meta({
        description: 'The size of the file.',
        pattern: '^bytes \\*/\\d+$',
        examples: ['bytes */240512'],
      }),
    },
  },
  misdirected_request: { status: 421, when: 'The `Host` is not one of this listener.' },
  idempotency_key_reused: { status: 422, when: 'The `Idempotency-Key` was used for other bytes.' },
  invalid_image: {
    status: 422,
    when: 'The image is damaged, incomplete, of a kind that is not decoded, or beyond the limits; the message says which.',
  },
  too_many_changes: {
    status: 429,
    when: 'The subject has made as many changes in its space as it may in 24 hours; retry after `Retry-After` seconds.',
    headers: retry,
  },
  internal_error: { status: 500, when: 'A fault of the service; its log has the request id.' },
  overloaded: {
    status: 503,
    when: 'Too much work is in progress; retry after `Retry-After` seconds.',
    headers: retry,
  },
  read_only: {
    status: 503,
    when: 'The catalog is read-only; retry after `Retry-After` seconds.',
    headers: retry,
  },
  storage_unavailable: {
    status: 503,
    when: 'The database or the blob store is unavailable; retry after `Retry-After` seconds.',
    headers: retry,
  },
} as const satisfies Readonly<Record<string, ErrorEntry>>;

export type ErrorCode = keyof typeof TABLE;

/** Everything about an error of HTTP, by the code in its body. */
export const ERRORS: Readonly<Record<ErrorCode, ErrorEntry>> = TABLE;
