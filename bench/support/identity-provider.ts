import { createHash } from 'node:crypto';
import { publish, SigningKeyServer } from '../../test/support/signing-key-server.ts';
import { jwk, rsaKey, signToken } from '../../test/support/tokens.ts';

/**
 * Publishes one signing key on the loopback interface, and prints a token that was signed with it. About as large as a
 * provider's: some 600 characters.
 */
const key = rsaKey('bench');
const server = await SigningKeyServer.start(publish([jwk(key)]));
const audience = 'https://image-catalog.example/';
const claims = {
  iss: server.domain,
  aud: audience,
  sub: 'auth0|5f7c8ec7c33c6c004bbafe82',
  azp: 'bench',
  scope: 'openid profile email',
  iat: Math.floor(Date.now() / 1000),
  exp: Math.floor(Date.now() / 1000) + 6 * 3600,
  jti: createHash('sha256').update('bench').digest('hex'),
};

console.log(
  JSON.stringify({
    msg: 'listening',
    port: Number(new URL(server.domain).port),
    issuer: server.domain,
    audience,
    token: signToken(claims, key),
  }),
);
