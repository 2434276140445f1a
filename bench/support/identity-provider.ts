import { jwk, rsaKey } from '../../test/support/fixtures/tokens.ts';
import { publish, SigningKeyServer } from '../../test/support/servers/signing-key-server.ts';
import { AUDIENCE, loadToken } from './load-token.ts';

/** Publishes one signing key on the loopback interface, and prints tokens that are signed with it, of two subjects and of some uploaders. */
const key = rsaKey('bench');
const server = await SigningKeyServer.start(publish([jwk(key)]));

console.log(
  JSON.stringify({
    msg: 'listening',
    port: Number(new URL(server.domain).port),
    issuer: server.domain,
    audience: AUDIENCE,
    token: loadToken('bench', server.domain, key),
    otherToken: loadToken('other', server.domain, key, 'other'),
    uploaderTokens: [1, 2, 3, 4].map((id) =>
      loadToken(`uploader ${id}`, server.domain, key, `uploader ${id}`),
    ),
  }),
);
