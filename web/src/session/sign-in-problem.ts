import { BlockedByPolicy } from './blocked-by-policy.ts';
import { OpaqueToken } from './opaque-token.ts';

export interface SignInProblem {
  readonly kind:
    | 'denied'
    /** Of a session that was continued from an earlier visit. */
    | 'ended'
    /** The response of the provider belongs to no sign-in of this tab, or is too old. */
    | 'lost'
    | 'unreachable'
    /** By the Content-Security-Policy of the page: the message is the origin that it does not name. */
    | 'blocked'
    /** Without TLS, browsers have no digests: PKCE needs one. */
    | 'insecure'
    /** The access token is not a JWT. */
    | 'opaque'
    | 'refused';
  /** What the provider says, unless the kind says otherwise. */
  readonly message?: string;
}

/** RFC 6749, sections 4.1.2.1 and 5.2. */
const TEMPORARY = new Set(['server_error', 'temporarily_unavailable']);

/** @param error of oidc-client-ts */
export function signInProblem(error: unknown): SignInProblem {
  if (error instanceof BlockedByPolicy) return { kind: 'blocked', message: error.origin };
  if (error instanceof OpaqueToken) return { kind: 'opaque' };
  const code = errorCode(error);
  if (code === 'access_denied') return { kind: 'denied' };
  if (code === 'invalid_grant') return { kind: 'lost' };
  if (code !== undefined && !TEMPORARY.has(code)) return { kind: 'refused', message: messageOf(error) };
  if (/\bstate\b|nonce|mismatch/i.test(messageOf(error))) return { kind: 'lost' };
  if (/secure context/i.test(messageOf(error))) return { kind: 'insecure' };
  return { kind: 'unreachable' };
}

/** Whether a renewal may work later: everything but a refusal, also by the policy, which stays as long as the page. */
export function isTemporary(error: unknown): boolean {
  if (error instanceof BlockedByPolicy) return false;
  const code = errorCode(error);
  return code === undefined || TEMPORARY.has(code);
}

/** Of an `ErrorResponse`: what the provider has said. */
function errorCode(error: unknown): string | undefined {
  return (error as { readonly error?: string } | undefined)?.error;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
