/** RFC 7519, section 4; RFC 9068. Frozen: requests with the same token share them. */
export interface Claims {
  /** Seconds since the epoch. */
  readonly exp: number;
  /** A verified token may have claims of any type. */
  readonly [claim: string]: unknown;
}

declare module 'koa' {
  interface DefaultState {
    auth?: Claims;
    actor?: string | undefined;
  }
  interface Request {
    auth?: Claims;
  }
}

/** RFC 8693, section 4.2. */
export function isGranted(scope: string, claims: Claims | undefined): boolean {
  const { scope: scopes, permissions } = (claims ?? {}) as Partial<Claims>;
  if (typeof scopes === 'string' && scopes.split(' ').includes(scope)) return true;
  return Array.isArray(permissions) && permissions.includes(scope);
}
