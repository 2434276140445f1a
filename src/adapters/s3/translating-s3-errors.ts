import { DomainError, StorageUnavailable } from '../../domain/errors.ts';

interface SdkError extends Error {
  readonly code?: string;
  readonly $metadata?: { readonly httpStatusCode?: number; readonly requestId?: string };
}

/** The cause names the operation and the bucket. Programming mistakes are not translated. */
export function translateError(what: string, error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof DomainError || isMistake(error)) return error;
  return new StorageUnavailable({ cause: new Error(`${what}: ${descriptionOf(error)}`) });
}

/** The message may be just "UnknownError". */
function descriptionOf(error: SdkError): string {
  const { httpStatusCode, requestId } = error.$metadata ?? {};
  const status =
    httpStatusCode === undefined ? '' : ` (status ${httpStatusCode}, request ${requestId ?? '?'})`;
  return `${error.code ?? error.name}${status} ${error.message}`.trimEnd();
}

function isMistake(error: Error): boolean {
  return error instanceof TypeError || error instanceof RangeError;
}

/** Refused without effect; the server would refuse it again. */
export function isRefusal(error: unknown): boolean {
  const status = error instanceof Error ? (error as SdkError).$metadata?.httpStatusCode : undefined;
  return status !== undefined && status >= 400 && status < 500 && status !== 408 && status !== 429;
}

/** `If-None-Match: *`: the object exists, or another request creates it now. */
export function isConflict(error: unknown): boolean {
  return hasCode(error, 'PreconditionFailed') || hasCode(error, 'ConditionalRequestConflict');
}

export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && error.name === code;
}

/** Ignores errors with the code. */
export function unless(code: string): (error: unknown) => undefined {
  return (error) => {
    if (!hasCode(error, code)) throw error;
  };
}
