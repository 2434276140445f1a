import { CatalogError, StorageUnavailable } from '../../domain/errors.ts';

/** What the errors of the SDK have in common, as far as it is of interest here. */
interface SdkError extends Error {
  readonly code?: string;
  readonly $metadata?: { readonly httpStatusCode?: number; readonly requestId?: string };
}

/**
 * Runs a request to the server; whatever goes wrong (refused, in no time, no bucket, no permission, …) is `StorageUnavailable`,
 * with a cause that says what was asked of which bucket. Mistakes of our own stay what they are.
 */
export async function translatingS3Errors<T>(what: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw translated(what, error);
  }
}

export function translated(what: string, error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof CatalogError || isMistake(error)) return error;
  return new StorageUnavailable({ cause: new Error(`${what}: ${descriptionOf(error)}`) });
}

/** The SDK's own messages may be as little as "UnknownError": servers need not explain themselves. */
function descriptionOf(error: SdkError): string {
  const { httpStatusCode, requestId } = error.$metadata ?? {};
  const status =
    httpStatusCode === undefined ? '' : ` (status ${httpStatusCode}, request ${requestId ?? '?'})`;
  return `${error.code ?? error.name}${status} ${error.message}`.trimEnd();
}

function isMistake(error: Error): boolean {
  return error instanceof TypeError || error instanceof RangeError;
}

/** The server has answered that it will not, and would say so again: nothing was done. */
export function isRefusal(error: unknown): boolean {
  const status = error instanceof Error ? (error as SdkError).$metadata?.httpStatusCode : undefined;
  return status !== undefined && status >= 400 && status < 500 && status !== 408 && status !== 429;
}

/** The object is there, or is being made by somebody else: what `If-None-Match: *` is answered with. */
export function isConflict(error: unknown): boolean {
  return hasCode(error, 'PreconditionFailed') || hasCode(error, 'ConditionalRequestConflict');
}

export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && error.name === code;
}
