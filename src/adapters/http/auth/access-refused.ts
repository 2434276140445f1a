import { RequestError } from '../errors/request-error.ts';
import { type Claims, isGranted } from './claims.ts';

type Headers = Readonly<Record<string, string>>;

/** A 401 or 403. Its reason is for metrics. */
export class AccessRefused extends RequestError {
  constructor(
    readonly reason: string,
    ...error: ConstructorParameters<typeof RequestError>
  ) {
    super(...error);
  }

  /** @param message fixed by the contract, section 3; it must not repeat text of the token */
  static forToken(reason: string, message: string, headers?: Headers): AccessRefused {
    const all = { ...challenge({ error: 'invalid_token', error_description: message }), ...headers };
    return new AccessRefused(reason, 'invalid_token', message, all);
  }
}

/** @throws {AccessRefused} */
export function checkScope(scope: string | undefined, claims: Claims | undefined): void {
  if (scope === undefined || isGranted(scope, claims)) return;
  throw scopeMissing(scope);
}

export function scopeMissing(scope: string, message = `The scope ${scope} is required`): AccessRefused {
  const headers = challenge({ error: 'insufficient_scope', scope });
  return new AccessRefused('scope', 'insufficient_scope', message, headers);
}

/** RFC 6750, section 3. Removes all but printable ASCII: Node refuses or mangles such headers. */
function challenge(parameters: Headers): Headers {
  const list = Object.entries(parameters).map(([name, value]) => {
    const ascii = value.replaceAll(/[^\x20-\x7e]/g, '');
    return `${name}="${ascii.replaceAll(/["\\]/g, '\\$&')}"`;
  });
  return { 'WWW-Authenticate': `Bearer ${list.join(', ')}` };
}
