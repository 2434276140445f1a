import type { ErrorCode } from './errors.ts';

/** The message is shown to clients. */
export class RequestError extends Error {
  override readonly name = 'RequestError';

  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Maintenance takes minutes. */
const READ_ONLY_RETRY_SECONDS = 30;

export function catalogReadOnly(): RequestError {
  const headers = { 'Retry-After': String(READ_ONLY_RETRY_SECONDS) };
  return new RequestError('read_only', 'The catalog is read-only at the moment', headers);
}

export function pathNotFound(): RequestError {
  return new RequestError('not_found', 'There is nothing at this path');
}
