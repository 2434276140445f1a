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
  | 'request_too_large'
  | 'misdirected_request'
  | 'read_only';

/** The message is shown to clients. */
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

export function bodyStalled(): RequestError {
  return new RequestError('request_timeout', 'The request body has stopped coming', { Connection: 'close' });
}
