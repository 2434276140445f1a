import { AccessRefused } from './access-refused.ts';
import type { Claims } from './claims.ts';

/** @throws {RequestError} */
export function checkScope(scope: string | undefined, claims: Claims | undefined): void {
  if (scope === undefined || isGranted(scope, claims)) return;
  throw AccessRefused.withoutScope(scope);
}

/** A verified token may have claims of any type. */
export function isGranted(scope: string, claims: Claims | undefined): boolean {
  const { scope: scopes, permissions } = (claims ?? {}) as Record<string, unknown>;
  if (typeof scopes === 'string' && scopes.split(' ').includes(scope)) return true;
  return Array.isArray(permissions) && permissions.includes(scope);
}
