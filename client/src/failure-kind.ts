/** What an error means: whether a repeated request may succeed, and what has to happen before. */
export type FailureKind =
  /** There is no response of the service: it, the network, or what is in front of it has failed. */
  | 'unreachable'
  /** Not at this moment: too many requests, no storage, or no signing keys yet. */
  | 'busy'
  /** An upload with the same idempotency key is under way. */
  | 'key_in_use'
  /** An operator decides when the service accepts changes again. */
  | 'read_only'
  /** The token is not accepted. */
  | 'unauthorized'
  /** The token is accepted, but may not do this. */
  | 'forbidden'
  /** The service judges the same request in the same way, as long as the catalog is the same. */
  | 'refused'
  /** The service has an error, the response is not of the service, or bytes were altered on their way. */
  | 'failed';

export interface FailureFacts {
  readonly code: string;
  readonly status: number;
  readonly retryAfterMs?: number | undefined;
}

const BY_CODE: Readonly<Record<string, FailureKind>> = {
  network_error: 'unreachable',
  read_only: 'read_only',
  idempotency_key_in_use: 'key_in_use',
  digest_mismatch: 'failed',
  quota_exceeded: 'refused',
  // `Retry-After` is up to a day.
  too_many_changes: 'refused',
};

const BY_STATUS: Readonly<Record<number, FailureKind>> = {
  401: 'unauthorized',
  403: 'forbidden',
  408: 'busy',
  429: 'busy',
  // These come from a gateway in front of a service that is not there.
  502: 'unreachable',
  503: 'busy',
  504: 'unreachable',
};

export function failureKindOf({ code, status, retryAfterMs }: FailureFacts): FailureKind {
  // A service that has not got any signing key yet cannot accept a token.
  if (status === 401 && retryAfterMs !== undefined) return 'busy';
  return BY_CODE[code] ?? BY_STATUS[status] ?? (status >= 400 && status < 500 ? 'refused' : 'failed');
}
