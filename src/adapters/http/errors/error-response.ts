import { DomainError, type DomainErrorCode, InvalidMetadata } from '../../../domain/errors.ts';
import { ERRORS, type ErrorCode } from './errors.ts';
import { RequestError } from './request-error.ts';

export const INVALID_CURSOR =
  'Query parameter "after" must be a cursor from a "next" link, with the order and the filters of its page';

interface Translation {
  readonly code: ErrorCode;
  /** Instead of that of the error, which knows nothing of HTTP. */
  readonly message?: string;
}

/** Of codes that are none of HTTP, and of other messages. All others stay as they are. */
const TRANSLATIONS: Readonly<
  Record<Exclude<DomainErrorCode, ErrorCode>, Translation> & Partial<Record<DomainErrorCode, Translation>>
> = {
  invalid_original_name: { code: 'invalid_request' },
  image_changed: { code: 'precondition_failed', message: 'The image does not match If-Match' },
  invalid_metadata: { code: 'invalid_request' },
  metadata_changed: { code: 'precondition_failed', message: 'The metadata does not match If-Match' },
  too_much_metadata: { code: 'request_too_large' },
  invalid_place: { code: 'invalid_request', message: INVALID_CURSOR },
  idempotency_key_reused: {
    code: 'idempotency_key_reused',
    message: 'This Idempotency-Key was used for other bytes',
  },
  catalog_too_new: { code: 'storage_unavailable', message: 'The storage is not available at the moment' },
  name_changed: { code: 'precondition_failed', message: 'The name does not match the condition' },
  // Of commands alone.
  space_in_use: { code: 'internal_error' },
  record_conflict: { code: 'internal_error' },
  blob_lost: { code: 'internal_error' },
};

function translationOf(code: DomainErrorCode): Translation {
  // A code that is not translated is one of HTTP, by the type of the table.
  return TRANSLATIONS[code] ?? { code: code as ErrorCode };
}

export interface ErrorResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: { readonly code: ErrorCode; readonly message: string };
}

/** Reveals nothing about an unexpected error. */
export function errorResponse(error: unknown): ErrorResponse {
  if (error instanceof RequestError) return response(error.code, error.message, error.headers);
  if (error instanceof DomainError) {
    const { code, message = messageOf(error) } = translationOf(error.code);
    return response(code, message, headersOf(error));
  }
  return response('internal_error', 'An unexpected error occurred');
}

/** As the bodies of requests name them. */
const FIELD_NAMES: Readonly<Record<string, string>> = {
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
