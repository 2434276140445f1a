import {
  DomainError,
  type DomainErrorCode,
  InvalidMetadata,
  type MetadataField,
} from '../../../domain/errors.ts';
import { ERRORS, type ErrorCode } from './error-table.ts';
import { RequestError } from './request-error.ts';

export const INVALID_CURSOR =
  'Query parameter "after" must be a cursor from a "next" link, with the order and the filters of its page';

interface Translation {
  readonly code: ErrorCode;
  /** Instead of that of the error, which knows nothing of HTTP. */
  readonly message?: string;
}

const TRANSLATIONS: Readonly<Record<DomainErrorCode, Translation>> = {
  invalid_original_name: { code: 'invalid_request' },
  file_too_large: { code: 'file_too_large' },
  unsupported_media_type: { code: 'unsupported_media_type' },
  invalid_image: { code: 'invalid_image' },
  image_not_found: { code: 'image_not_found' },
  image_changed: { code: 'precondition_failed', message: 'The image does not match If-Match' },
  invalid_metadata: { code: 'invalid_request' },
  metadata_changed: { code: 'precondition_failed', message: 'The metadata does not match If-Match' },
  too_much_metadata: { code: 'request_too_large' },
  invalid_place: { code: 'invalid_request', message: INVALID_CURSOR },
  idempotency_key_in_use: { code: 'idempotency_key_in_use' },
  idempotency_key_reused: {
    code: 'idempotency_key_reused',
    message: 'This Idempotency-Key was used for other bytes',
  },
  link_invalid: { code: 'link_invalid' },
  link_expired: { code: 'link_expired' },
  ticket_invalid: { code: 'ticket_invalid' },
  ticket_expired: { code: 'ticket_expired' },
  ticket_used: { code: 'ticket_used' },
  cursor_expired: { code: 'cursor_expired' },
  storage_unavailable: { code: 'storage_unavailable' },
  catalog_too_new: { code: 'storage_unavailable', message: ERRORS.storage_unavailable.message },
  overloaded: { code: 'overloaded' },
  name_not_found: { code: 'name_not_found' },
  name_changed: { code: 'precondition_failed', message: 'The name does not match the condition' },
  quota_exceeded: { code: 'quota_exceeded' },
  // Of commands alone.
  space_in_use: { code: 'internal_error' },
  record_conflict: { code: 'internal_error' },
  blob_lost: { code: 'internal_error' },
};

export interface ErrorResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: { readonly code: ErrorCode; readonly message: string };
}

/** Reveals nothing about an unexpected error. */
export function errorResponse(error: unknown): ErrorResponse {
  if (error instanceof RequestError) return response(error.code, error.message, error.headers);
  if (error instanceof DomainError) {
    const { code, message = messageOf(error) } = TRANSLATIONS[error.code];
    return response(code, message, headersOf(error));
  }
  return response('internal_error', ERRORS.internal_error.message);
}

/** As the bodies of requests name them. */
const FIELD_NAMES: Partial<Record<MetadataField, string>> = {
  addedTags: 'addTags',
  removedTags: 'removeTags',
  pageTitle: 'page.title',
};

function messageOf(error: DomainError): string {
  if (!(error instanceof InvalidMetadata)) return error.message;
  return `Field "${FIELD_NAMES[error.field] ?? error.field}" ${error.rule}`;
}

function response(
  code: ErrorCode,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): ErrorResponse {
  return { status: ERRORS[code].status, headers, body: { code, message } };
}

function headersOf(error: DomainError): Record<string, string> {
  return 'retryAfterSeconds' in error ? { 'Retry-After': String(error.retryAfterSeconds) } : {};
}
