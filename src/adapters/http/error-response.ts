import { CatalogError, type CatalogErrorCode } from '../../domain/errors.ts';
import { RequestError, type RequestErrorCode } from './request-error.ts';

const CODE = {
  invalid_original_name: 'invalid_request',
  file_too_large: 'file_too_large',
  unsupported_media_type: 'unsupported_media_type',
  invalid_image: 'invalid_image',
  image_not_found: 'image_not_found',
  image_changed: 'precondition_failed',
  invalid_metadata: 'invalid_request',
  metadata_changed: 'precondition_failed',
  idempotency_key_in_use: 'idempotency_key_in_use',
  idempotency_key_reused: 'idempotency_key_reused',
  link_invalid: 'link_invalid',
  link_expired: 'link_expired',
  storage_unavailable: 'storage_unavailable',
  overloaded: 'overloaded',
  record_conflict: 'internal_error',
  blob_lost: 'internal_error',
} as const satisfies Record<CatalogErrorCode, string>;

const MESSAGE: Partial<Record<CatalogErrorCode, string>> = {
  image_changed: 'The image does not match If-Match',
  metadata_changed: 'The metadata does not match If-Match',
  idempotency_key_in_use: 'An upload with this Idempotency-Key is under way',
  idempotency_key_reused: 'This Idempotency-Key was used for other bytes',
};

export type ErrorCode = RequestErrorCode | (typeof CODE)[CatalogErrorCode];

const STATUS: Record<ErrorCode, number> = {
  invalid_request: 400,
  file_required: 400,
  too_many_files: 400,
  digest_mismatch: 400,
  credentials_required: 401,
  invalid_token: 401,
  insufficient_scope: 403,
  link_invalid: 403,
  image_not_found: 404,
  not_found: 404,
  method_not_allowed: 405,
  not_acceptable: 406,
  request_timeout: 408,
  idempotency_key_in_use: 409,
  link_expired: 410,
  precondition_failed: 412,
  file_too_large: 413,
  request_too_large: 413,
  unsupported_media_type: 415,
  range_not_satisfiable: 416,
  misdirected_request: 421,
  idempotency_key_reused: 422,
  invalid_image: 422,
  internal_error: 500,
  overloaded: 503,
  read_only: 503,
  storage_unavailable: 503,
};

export interface ErrorResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: { readonly code: ErrorCode; readonly message: string };
}

export function statusOf(code: ErrorCode): number {
  return STATUS[code];
}

/** Reveals nothing about an unexpected error. */
export function errorResponse(error: unknown): ErrorResponse {
  if (error instanceof RequestError) return response(error.code, error.message, error.headers);
  if (error instanceof CatalogError) {
    return response(CODE[error.code], MESSAGE[error.code] ?? error.message, headersOf(error));
  }
  return response('internal_error', 'An unexpected error occurred');
}

function response(
  code: ErrorCode,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): ErrorResponse {
  return { status: STATUS[code], headers, body: { code, message } };
}

function headersOf(error: CatalogError): Record<string, string> {
  return 'retryAfterSeconds' in error ? { 'Retry-After': String(error.retryAfterSeconds) } : {};
}
