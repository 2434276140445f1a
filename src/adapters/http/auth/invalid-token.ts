import { RequestError } from '../request-error.ts';
import { bearerChallenge } from './bearer-challenge.ts';

/** @param message must not repeat text of the token */
export function invalidToken(
  message: string,
  headers: Readonly<Record<string, string>> = {},
  options?: ErrorOptions,
): RequestError {
  const challenge = bearerChallenge({ error: 'invalid_token', error_description: message });
  return new RequestError('invalid_token', message, { 'WWW-Authenticate': challenge, ...headers }, options);
}
