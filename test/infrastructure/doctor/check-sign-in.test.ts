import { expect } from 'chai';
import { checkSignIn } from '../../../src/infrastructure/doctor/check-sign-in.ts';
import type { Discovered } from '../../../src/infrastructure/doctor/provider-facts.ts';

const ISSUER = 'https://idp.example.test/';
const ALLOWED = 'https://other.example.test';

/** By what the provider says of its token endpoint. */
const PROBLEMS: Readonly<
  Record<string, readonly [Discovered['discovery'], finding: RegExp, change: RegExp]>
> = {
  'no discovery document of the issuer': [
    { failure: 'it responds with 404' },
    /needs the discovery document of IDP_ISSUER: .* \(it responds with 404\)/,
    /unset WEB_CLIENT_ID/,
  ],
  'no token endpoint': [found(undefined), /names no token endpoint/, /unset WEB_CLIENT_ID/],
  'a token endpoint on another host': [
    found('https://login.example.test/token'),
    /does not allow the token endpoint at "https:\/\/login\.example\.test"/,
    /^WEB_CONNECT_ORIGINS=https:\/\/other\.example\.test https:\/\/login\.example\.test$/,
  ],
};

function found(endpoint: string | undefined): Discovered['discovery'] {
  return {
    value: { issuer: ISSUER, jwks_uri: `${ISSUER}keys`, token_endpoint: endpoint, clockAheadMs: undefined },
  };
}

function check(
  discovery: Discovered['discovery'],
): ReadonlyArray<{ level: string; text: string; change?: string | undefined }> {
  const signIn = { discoveryUrl: `${ISSUER}.well-known/openid-configuration`, discovery };
  return [...checkSignIn(signIn, { issuer: ISSUER, connectOrigins: [ALLOWED] })];
}

describe('checkSignIn', () => {
  for (const endpoint of [`${ISSUER}token`, `${ALLOWED}/token`]) {
    it(`finds nothing wrong with the token endpoint ${endpoint}`, () => {
      expect(check(found(endpoint)).map(({ level }) => level)).to.deep.equal(['ok']);
    });
  }

  for (const [title, [discovery, finding, change]] of Object.entries(PROBLEMS)) {
    it(`names ${title}`, () => {
      const [result] = check(discovery);

      expect(result?.level).to.equal('problem');
      expect(result?.text).to.match(finding);
      expect(result?.change).to.match(change);
    });
  }
});
