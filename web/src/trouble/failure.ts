import { CatalogError } from '@image-catalog/client';
import { GalleryUpdated } from '../base/gallery-updated.ts';

/** What a failed request means to the person in front of the gallery. */
export type Failure =
  | Outage
  /** The page must be loaded again. */
  | { readonly kind: 'updated' }
  /** The service accepts no changes. */
  | { readonly kind: 'read_only' }
  /** The person has changed as much as a day allows; `undefined` if the service has not said how long. */
  | { readonly kind: 'too_many_changes'; readonly retryAfterMs: number | undefined }
  /** The token names no space of the catalog: nothing can be seen. */
  | { readonly kind: 'space_missing' }
  | { readonly kind: 'forbidden'; readonly scope: string | undefined }
  /** The service does not accept the token, although it is new. */
  | { readonly kind: 'unauthorized'; readonly message: string }
  | {
      readonly kind: 'failed';
      /** `undefined` if it is no error of the service. */
      readonly code: string | undefined;
      readonly message: string;
      readonly requestId: string | undefined;
    };

/** It passes: the same request will work later. */
export interface Outage {
  /** Without its storage the service can do nothing about it, and an operator can. */
  readonly kind: 'offline' | 'unreachable' | 'busy' | 'storage';
  /** Of a service without its storage. */
  readonly requestId?: string | undefined;
  /** Milliseconds; `undefined` if the service has not said. */
  readonly retryAfterMs: number | undefined;
}

/** @returns `undefined` if nothing has failed: the request was cancelled, or the session shows it */
export function failureOf(error: unknown, online: boolean): Failure | undefined {
  if (isSilent(error)) return undefined;
  if (error instanceof GalleryUpdated) return { kind: 'updated' };
  if (!(error instanceof CatalogError)) {
    return { kind: 'failed', code: undefined, message: String(error), requestId: undefined };
  }
  const { kind, status, message, requestId, retryAfterMs, scope } = error;
  // The code of the service says nothing of the cause: of all that the gallery sends, the token alone can be so long.
  const code = status === 431 ? 'token_too_long' : error.code;
  switch (kind) {
    case 'unreachable':
      return { kind: online ? kind : 'offline', retryAfterMs };
    case 'busy':
      if (code === 'storage_unavailable') return { kind: 'storage', requestId, retryAfterMs };
      return { kind, retryAfterMs };
    case 'read_only':
      return { kind };
    case 'forbidden':
      return code === 'space_missing' ? { kind: code } : { kind, scope };
    case 'unauthorized':
      return { kind, message };
    default:
      if (code === 'too_many_changes') return { kind: code, retryAfterMs };
      return { kind: 'failed', code, message, requestId };
  }
}

function isSilent(error: unknown): boolean {
  return error instanceof Error && (error.name === 'AbortError' || error.name === 'SignedOut');
}
