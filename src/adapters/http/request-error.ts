import type { ErrorCode } from './error-table.ts';

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

export function bodyStalled(): RequestError {
  return new RequestError('request_timeout', 'The request body has stopped coming', { Connection: 'close' });
}
