import { CatalogError, type FailureKind, retryDelayMs } from '@image-catalog/client';
import { pictureRefusal } from './picture-refusal.ts';
import type { Failure, Refusal } from './upload-item.ts';

/** Why the whole queue waits. */
export type HoldKind =
  | Exclude<FailureKind, 'key_in_use' | 'refused' | 'failed'>
  /** Full, or not reachable from the service. */
  | 'storage'
  /** The identity provider cannot be reached. */
  | 'provider-unreachable'
  | 'signed-out';

/** What an error means for the file and for the queue. */
export type Verdict =
  | ({ readonly kind: 'refused' } & Refusal)
  | { readonly kind: 'failed'; readonly reason: Failure }
  /** An earlier attempt is still under way on the service. */
  | { readonly kind: 'later'; readonly afterMs: number }
  /** The bytes are not those of the digest. */
  | { readonly kind: 'mismatch' }
  | HoldVerdict;

export interface HoldVerdict {
  readonly kind: 'hold';
  readonly hold: HoldKind;
  /** What the service asks for. */
  readonly afterMs?: number | undefined;
  /** That is missing. */
  readonly scope?: string | undefined;
  /** For the operator. */
  readonly requestId?: string | undefined;
}

const REFUSALS = ['unsupported_media_type', 'file_too_large', 'file_required', 'invalid_request'] as const;

const FAILURES: Readonly<Record<string, Failure>> = {
  idempotency_key_reused: 'changed',
  image_not_found: 'deleted_meanwhile',
  quota_exceeded: 'quota_exceeded',
  internal_error: 'internal_error',
};

export function verdictOf(error: unknown): Verdict {
  if (!(error instanceof CatalogError)) {
    return { kind: 'hold', hold: isSignedOut(error) ? 'signed-out' : 'provider-unreachable' };
  }
  const { kind, code, retryAfterMs, scope, requestId } = error;
  if (kind === 'refused' || kind === 'failed') return judgementOf(error);
  if (kind === 'key_in_use') return { kind: 'later', afterMs: retryDelayMs(error, 0) };
  const wait = { kind: 'hold', afterMs: retryAfterMs, scope } as const;
  return code === 'storage_unavailable' ? { ...wait, hold: 'storage', requestId } : { ...wait, hold: kind };
}

function judgementOf({ code, status, message }: CatalogError): Verdict {
  if (code === 'digest_mismatch') return { kind: 'mismatch' };
  if (code === 'invalid_image') return { kind: 'refused', ...pictureRefusal(message) };
  // A proxy with a limit of its own has no code.
  const refusal = status === 413 ? 'file_too_large' : REFUSALS.find((known) => known === code);
  if (refusal !== undefined) return { kind: 'refused', reason: refusal };
  return { kind: 'failed', reason: FAILURES[code] ?? 'unexpected_response' };
}

function isSignedOut(error: unknown): boolean {
  return error instanceof Error && error.name === 'SignedOut';
}
