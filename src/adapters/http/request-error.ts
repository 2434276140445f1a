/** What can be wrong with a request before, or instead of, reaching a use case. */
export type RequestErrorCode =
  | 'credentials_required'
  | 'invalid_token'
  | 'insufficient_scope'
  | 'invalid_request'
  | 'too_many_files'
  | 'file_required'
  | 'digest_mismatch'
  | 'unsupported_media_type'
  | 'not_found'
  | 'method_not_allowed'
  | 'not_acceptable'
  | 'range_not_satisfiable'
  | 'request_timeout'
  | 'read_only';

/** An answer other than success that the HTTP adapter itself decides on. */
export class RequestError extends Error {
  override readonly name = 'RequestError';

  constructor(
    readonly code: RequestErrorCode,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
