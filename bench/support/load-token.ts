import { createHash } from 'node:crypto';
import { signToken, type TestKey } from '../../test/support/fixtures/tokens.ts';

export const AUDIENCE = 'https://image-catalog.example/';

/** With `SPACE_CLAIM=sub`, also the space of the token. */
export const SUBJECT = 'auth0|5f7c8ec7c33c6c004bbafe82';

/** A token of about 600 characters, the size of a provider's. Another `id` makes another token. */
export function loadToken(id: string, issuer: string, key: TestKey, sub = SUBJECT): string {
  const now = Math.floor(Date.now() / 1000);
  const claims = {
    iss: issuer,
    aud: AUDIENCE,
    sub,
    azp: 'bench',
    scope: 'openid profile email',
    iat: now,
    exp: now + 6 * 3600,
    jti: createHash('sha256').update(id).digest('hex'),
  };
  return signToken(claims, key);
}
