/** RFC 7519, section 4; RFC 9068. Frozen: requests with the same token share them. */
export interface Claims {
  readonly sub?: string;
  /** RFC 8693, section 4.2. */
  readonly scope?: string;
  readonly permissions?: readonly string[];
  readonly client_id?: string;
  readonly azp?: string;
  /** Seconds since the epoch. */
  readonly exp: number;
  readonly [claim: string]: unknown;
}

/** The caller that limits and idempotency keys belong to: the subject or, without one, the client. */
export function subjectOf(claims: Claims | undefined): string {
  return JSON.stringify(
    claims?.sub === undefined ? ['client', claims?.client_id ?? claims?.azp] : ['sub', claims.sub],
  );
}

declare module 'koa' {
  interface DefaultState {
    auth?: Claims;
  }
  interface Request {
    auth?: Claims;
  }
}
