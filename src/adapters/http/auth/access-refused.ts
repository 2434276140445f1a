import { RequestError } from '../request-error.ts';
import { type Claims, isGranted } from './claims.ts';

export type TokenFault =
  | 'malformed'
  | 'signature'
  | 'no_keys'
  | 'not_active'
  | 'expired'
  | 'audience'
  | 'issuer';

type Headers = Readonly<Record<string, string>>;

/** A 401 or 403, with the challenge of RFC 6750, section 3, unless another token would not help. */
export class AccessRefused extends RequestError {
  private constructor(
    /** For metrics. */
    readonly reason: TokenFault | 'missing' | 'scope' | 'space',
    code: 'credentials_required' | 'invalid_token' | 'insufficient_scope' | 'space_missing',
    message: string,
    headers: Headers,
  ) {
    super(code, message, headers);
  }

  static withoutToken(): AccessRefused {
    const headers = { 'WWW-Authenticate': 'Bearer' };
    return new AccessRefused('missing', 'credentials_required', 'No authorization token was found', headers);
  }

  static withoutScope(scope: string): AccessRefused {
    const headers = challenge({ error: 'insufficient_scope', scope });
    return new AccessRefused('scope', 'insufficient_scope', `The scope ${scope} is required`, headers);
  }

  static withoutSpace(): AccessRefused {
    return new AccessRefused('space', 'space_missing', 'The token names no space', {});
  }

  /** @param message fixed by the contract, section 3; it must not repeat text of the token */
  static forToken(fault: TokenFault, message: string, headers: Headers = {}): AccessRefused {
    const all = { ...challenge({ error: 'invalid_token', error_description: message }), ...headers };
    return new AccessRefused(fault, 'invalid_token', message, all);
  }
}

function challenge(parameters: Headers): Headers {
  const list = Object.entries(parameters).map(([name, value]) => `${name}=${quoted(value)}`);
  return { 'WWW-Authenticate': `Bearer ${list.join(', ')}` };
}

/** RFC 9110, section 5.6.4. Removes all but printable ASCII: Node refuses or mangles such headers. */
function quoted(value: string): string {
  return `"${value.replaceAll(/[^\x20-\x7e]/g, '').replaceAll(/["\\]/g, '\\$&')}"`;
}

/** @throws {AccessRefused} */
export function checkScope(scope: string | undefined, claims: Claims | undefined): void {
  if (scope !== undefined && !isGranted(scope, claims)) throw AccessRefused.withoutScope(scope);
}
