import { RequestError } from '../request-error.ts';

/** By the messages of the contract, up to the part that differs. */
const REASONS: ReadonlyArray<readonly [string, string]> = [
  ['jwt malformed', 'malformed'],
  ['jwt expired', 'expired'],
  ['jwt not active', 'not_active'],
  ['jwt audience invalid', 'audience'],
  ['jwt issuer invalid', 'issuer'],
];

/** Why a request is refused for its token; `undefined` for other errors. */
export function authFailureOf(error: unknown): string | undefined {
  if (!(error instanceof RequestError)) return undefined;
  if (error.code === 'credentials_required') return 'missing';
  if (error.code === 'insufficient_scope') return 'scope';
  return error.code === 'invalid_token' ? reasonOf(error) : undefined;
}

function reasonOf({ message, headers }: RequestError): string {
  const found = REASONS.find(([beginning]) => message.startsWith(beginning));
  if (found !== undefined) return found[1];
  // Only without any key is the client told to retry.
  return 'Retry-After' in headers ? 'no_keys' : 'signature';
}
