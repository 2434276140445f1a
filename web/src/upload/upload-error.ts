import { CatalogError } from '@image-catalog/client';
import type { Failure, Refusal } from './upload-item.ts';

/** Why the whole queue waits. */
export type HoldKind =
  /** The service cannot be reached. */
  | 'unreachable'
  /** The identity provider cannot be reached. */
  | 'provider-unreachable'
  | 'busy'
  | 'read-only'
  | 'forbidden'
  | 'signed-out'
  /** The service does not accept the token, although it is new. */
  | 'not-accepted';

/** What an error means for the file and for the queue. */
export type Verdict =
  | { readonly kind: 'refused'; readonly reason: Refusal }
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
}

const REFUSALS: readonly Refusal[] = [
  'unsupported_media_type',
  'invalid_image',
  'file_too_large',
  'file_required',
  'invalid_request',
];

const FAILURES: Readonly<Record<string, Failure>> = {
  idempotency_key_reused: 'changed',
  image_not_found: 'deleted_meanwhile',
  internal_error: 'internal_error',
};

const IN_USE_DELAY_MS = 1000;

export function verdictOf(error: unknown): Verdict {
  if (!(error instanceof CatalogError)) {
    return { kind: 'hold', hold: isSignedOut(error) ? 'signed-out' : 'provider-unreachable' };
  }
  const { code, status, message, retryAfterMs } = error;
  const hold = holdKindOf(error);
  if (hold !== undefined) return { kind: 'hold', hold, afterMs: retryAfterMs, scope: scopeIn(message) };
  if (code === 'idempotency_key_in_use') return { kind: 'later', afterMs: retryAfterMs ?? IN_USE_DELAY_MS };
  if (code === 'digest_mismatch') return { kind: 'mismatch' };
  // A proxy with a limit of its own has no code.
  const refusal = status === 413 ? 'file_too_large' : REFUSALS.find((known) => known === code);
  if (refusal !== undefined) return { kind: 'refused', reason: refusal };
  return { kind: 'failed', reason: FAILURES[code] ?? 'unexpected_response' };
}

function holdKindOf({ code, status, retryAfterMs }: CatalogError): HoldKind | undefined {
  // 502 and 504 come from a proxy in front of a service that is not there.
  if (code === 'network_error' || status === 502 || status === 504) return 'unreachable';
  if (code === 'read_only') return 'read-only';
  if (status === 503 || status === 429 || status === 408) return 'busy';
  // A service that has not got any signing key yet cannot accept a token.
  if (status === 401) return retryAfterMs === undefined ? 'not-accepted' : 'busy';
  return status === 403 ? 'forbidden' : undefined;
}

function scopeIn(message: string): string | undefined {
  return /^The scope (\S+) is required$/.exec(message)?.[1];
}

function isSignedOut(error: unknown): boolean {
  return error instanceof Error && error.name === 'SignedOut';
}
