/** The claims of a verified token (RFC 7519, section 4; RFC 9068). Frozen: requests with the same token share them. */
export interface Claims {
  readonly sub?: string;
  /** Scopes, separated by spaces (RFC 8693, section 4.2). */
  readonly scope?: string;
  /** Scopes, as some providers list them. */
  readonly permissions?: readonly string[];
  readonly client_id?: string;
  readonly azp?: string;
  /** Seconds since the epoch. */
  readonly exp: number;
  readonly [claim: string]: unknown;
}

/** Names the caller that limits and idempotency keys belong to: the subject or, if the token has none, its client. */
export function subjectOf(claims: Claims | undefined): string {
  return JSON.stringify(
    claims?.sub === undefined ? ['client', claims?.client_id ?? claims?.azp] : ['sub', claims.sub],
  );
}

declare module 'koa' {
  interface DefaultState {
    /** `undefined` on the open routes. */
    auth?: Claims;
  }
  interface Request {
    /** `undefined` on the open routes. */
    auth?: Claims;
  }
}
