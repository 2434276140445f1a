import type { CatalogError } from '@image-catalog/client';

/** What a failed request means to the person in front of the gallery. */
export type Failure =
  | Outage
  /** The service accepts no changes. */
  | { readonly kind: 'read-only' }
  | { readonly kind: 'forbidden'; readonly scope: string | undefined }
  /** The service does not accept the token, although it is new. */
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'failed'; readonly message: string; readonly requestId: string | undefined };

/** It passes: the same request will work later. */
export interface Outage {
  readonly kind: 'offline' | 'unreachable' | 'busy';
  /** Milliseconds; `undefined` if the service has not said. */
  readonly retryAfterMs: number | undefined;
}

/** @returns `undefined` if nothing has failed: the request was cancelled, or the session shows it */
export function failureOf(error: unknown, online: boolean): Failure | undefined {
  if (isSilent(error)) return undefined;
  if (!isCatalogError(error)) return { kind: 'failed', message: String(error), requestId: undefined };
  const { code, status, message, requestId, retryAfterMs } = error;
  if (code === 'network_error') return { kind: online ? 'unreachable' : 'offline', retryAfterMs };
  if (code === 'read_only') return { kind: 'read-only' };
  if (isBusy(error)) return { kind: 'busy', retryAfterMs };
  if (code === 'insufficient_scope') return { kind: 'forbidden', scope: scopeIn(message) };
  if (status === 401) return { kind: 'refused', message };
  return { kind: 'failed', message, requestId };
}

export function isOutage(failure: Failure): failure is Outage {
  return failure.kind === 'offline' || failure.kind === 'unreachable' || failure.kind === 'busy';
}

function isCatalogError(error: unknown): error is CatalogError {
  return error instanceof Error && error.name === 'CatalogError';
}

function isSilent(error: unknown): boolean {
  return error instanceof Error && (error.name === 'AbortError' || error.name === 'SignedOut');
}

/** A 401 with `Retry-After`: the service has no keys of the identity provider yet. Gateways send 502 and 504. */
function isBusy({ status, retryAfterMs }: CatalogError): boolean {
  return [408, 429, 502, 503, 504].includes(status) || (status === 401 && retryAfterMs !== undefined);
}

function scopeIn(message: string): string | undefined {
  return /^The scope (\S+) is required$/.exec(message)?.[1];
}
