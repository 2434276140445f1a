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

declare module 'koa' {
  interface DefaultState {
    auth?: Claims;
    /** Who the feed of changes names for the request. */
    actor?: string | undefined;
  }
  interface Request {
    auth?: Claims;
  }
}

/** A verified token may have claims of any type. */
export function isGranted(scope: string, claims: Claims | undefined): boolean {
  const { scope: scopes, permissions } = (claims ?? {}) as Record<string, unknown>;
  if (typeof scopes === 'string' && scopes.split(' ').includes(scope)) return true;
  return Array.isArray(permissions) && permissions.includes(scope);
}
