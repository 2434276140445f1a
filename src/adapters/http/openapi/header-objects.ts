import type { ErrorHeader } from '../errors/errors.ts';

/** `components.headers`: the headers of every response and of errors. */
export const HEADER_OBJECTS = {
  XRequestId: {
    description:
      "The id of the request in the service's log: that of the client, if it sent one of 1 to 128 characters of `A-Z a-z 0-9 . _ -`.",
    required: true,
    schema: { type: 'string', pattern: '^[A-Za-z0-9._-]{1,128}$' },
    example: '51433a7d-35ef-49de-929d-81071731cbdd',
  },
  WwwAuthenticate: {
    description: 'The challenge (RFC 6750).',
    required: true,
    schema: { type: 'string', pattern: '^Bearer' },
    example: 'Bearer error="invalid_token", error_description="jwt expired"',
  },
  MaybeWwwAuthenticate: {
    description: 'The challenge (RFC 6750), if the token lacks a scope.',
    schema: { type: 'string', pattern: '^Bearer' },
    example: 'Bearer error="insufficient_scope", scope="images:read"',
  },
  RetryAfter: {
    description: 'Seconds after which a retry makes sense.',
    required: true,
    schema: { type: 'integer', minimum: 1 },
    example: 5,
  },
  MaybeRetryAfter: {
    description: 'Seconds; only if no signing key of the identity provider could be fetched yet.',
    schema: { type: 'integer', minimum: 1 },
    example: 5,
  },
  ContentRangeOfNone: {
    description: 'The size of the file.',
    required: true,
    schema: { type: 'string', pattern: '^bytes \\*/\\d+$' },
    example: 'bytes */240512',
  },
  AcceptPatch: {
    description: 'The media type that the operation takes (RFC 5789).',
    required: true,
    schema: { type: 'string' },
    example: 'application/merge-patch+json',
  },
} as const;

export const HEADER_REFERENCES = {
  every: { 'X-Request-Id': referenceTo('XRequestId') },
  challenge: { 'WWW-Authenticate': referenceTo('WwwAuthenticate') },
  maybeChallenge: { 'WWW-Authenticate': referenceTo('MaybeWwwAuthenticate') },
  retry: { 'Retry-After': referenceTo('RetryAfter') },
  maybeRetry: { 'Retry-After': referenceTo('MaybeRetryAfter') },
  size: { 'Content-Range': referenceTo('ContentRangeOfNone') },
  patch: { 'Accept-Patch': referenceTo('AcceptPatch') },
} as const satisfies Record<ErrorHeader | 'every' | 'patch', object>;

function referenceTo(name: keyof typeof HEADER_OBJECTS): object {
  return { $ref: `#/components/headers/${name}` };
}
