import { generateKeyPairSync } from 'node:crypto';
import { expect } from 'chai';
import { checkProvider } from '../../../src/infrastructure/doctor/check-provider.ts';
import type {
  Discovered,
  Discovery,
  ProviderFacts,
} from '../../../src/infrastructure/doctor/provider-facts.ts';
import { jwk, rsaKey } from '../../support/fixtures/tokens.ts';

const ISSUER = 'https://idp.example.test/';
const JWKS_URI = `${ISSUER}.well-known/jwks.json`;
const SETTINGS = { issuer: ISSUER, jwksUri: JWKS_URI };
const ELLIPTIC = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' });

function facts(
  changes: Partial<ProviderFacts> & { readonly document?: Partial<Discovery> } = {},
): ProviderFacts {
  const { document, ...others } = changes;
  const discovered: Discovered = {
    discoveryUrl: `${ISSUER}.well-known/openid-configuration`,
    discovery: { value: { issuer: ISSUER, jwks_uri: JWKS_URI, clockAheadMs: 0, ...document } },
  };
  return {
    ...discovered,
    signIn: discovered,
    jwks: { value: { keys: [jwk(rsaKey('one'))] } },
    ...others,
  };
}

function keys(...published: unknown[]): Partial<ProviderFacts> {
  return { jwks: { value: { keys: published } } };
}

const MISTAKES: ReadonlyArray<
  [title: string, facts: ProviderFacts, level: 'warning' | 'problem', finding: RegExp, change?: RegExp]
> = [
  [
    'an issuer without the slash',
    facts({ document: { issuer: 'https://idp.example.test' } }),
    'problem',
    /the slash at the end counts/,
    /^IDP_ISSUER=https:\/\/idp\.example\.test$/,
  ],
  [
    'another issuer',
    facts({ document: { issuer: 'https://other.test/' } }),
    'problem',
    /names its issuer "https:\/\/other\.test\/"/,
    /^IDP_ISSUER=https:\/\/other\.test\/$/,
  ],
  [
    'an issuer of access tokens that the service does not expect',
    facts({ document: { access_token_issuer: 'http://idp.example.test/trust' } }),
    'problem',
    /names its issuer "http:\/\/idp\.example\.test\/trust"/,
    /^IDP_ISSUER=http:\/\/idp\.example\.test\/trust$/,
  ],
  [
    'an issuer without a tenant',
    facts({ document: { issuer: 'https://idp.example.test/{tenantid}/v2.0' } }),
    'problem',
    /stands for every tenant/,
    /^name your tenant in IDP_DOMAIN/,
  ],
  [
    'keys at another address',
    facts({ document: { jwks_uri: 'https://idp.example.test/keys' }, jwks: { failure: 'HTTP 404' } }),
    'problem',
    /cannot be read: HTTP 404/,
    /^IDP_JWKS_URI=https:\/\/idp\.example\.test\/keys$/,
  ],
  [
    'no discovery',
    facts({ discovery: { failure: 'getaddrinfo ENOTFOUND' } }),
    'warning',
    /ENOTFOUND/,
    /IDP_DOMAIN=/,
  ],
  ['no key at all', facts(keys()), 'problem', /publishes no key/],
  [
    'elliptic keys only',
    facts(keys({ ...ELLIPTIC, kid: 'e', alg: 'ES256' })),
    'problem',
    /ES256 P-256/,
    /RS256/,
  ],
  ['an RSA key for another algorithm', facts(keys(jwk(rsaKey('one'), { alg: 'PS256' }))), 'problem', /PS256/],
  ['a key for encryption', facts(keys(jwk(rsaKey('one'), { use: 'enc' }))), 'problem', /RSA RS256 enc/],
  ['a key of 1024 bits', facts(keys(jwk(rsaKey('short', 1024)))), 'problem', /1024 bits/, /2048 bits/],
  ['a key without its exponent', facts(keys(jwk(rsaKey('one'), { e: undefined }))), 'problem', /damaged/],
  [
    'a modulus that begins with zeros',
    facts(
      keys({
        ...jwk(rsaKey('short', 1024)),
        n: `${'AAAA'.repeat(50)}${String(jwk(rsaKey('short', 1024))['n'])}`,
      }),
    ),
    'problem',
    /1024 bits/,
  ],
  ['a private key', facts(keys(jwk(rsaKey('one'), { d: 'AQAB' }))), 'problem', /private/],
  [
    'a key for other operations',
    facts(keys(jwk(rsaKey('one'), { key_ops: ['encrypt'] }))),
    'problem',
    /encrypt/,
  ],
  ['an entry that is no key', facts(keys('key', null)), 'problem', /None of the 2 published keys/],
  ['one key without a kid', facts(keys(jwk(rsaKey('one'), { kid: undefined }))), 'warning', /no kid/, /kid/],
  [
    'several keys without a kid',
    facts(keys(jwk(rsaKey('one'), { kid: undefined }), jwk(rsaKey('two')))),
    'problem',
    /1 of 2 usable keys have no kid/,
    /kid/,
  ],
  [
    'ID tokens without RS256',
    facts({ document: { id_token_signing_alg_values_supported: ['ES256'] } }),
    'warning',
    /"ES256" only/,
    /RS256/,
  ],
  ['a clock behind', facts({ document: { clockAheadMs: 60_000 } }), 'problem', /60 s behind/, /NTP/],
  ['a clock ahead', facts({ document: { clockAheadMs: -60_000 } }), 'problem', /60 s ahead/, /NTP/],
];

const TOKEN_ISSUER = 'http://idp.example.test/trust';
const ENTRA = 'https://login.microsoftonline.com/9122040d/v2.0';
const KEYS_OF_APPLICATION = `${JWKS_URI}?appid=6731de76`;

/** Settings that differ from what the provider says of itself, for a reason. */
const RIGHT: ReadonlyArray<
  [title: string, document: Partial<Discovery>, settings: Parameters<typeof checkProvider>[1]]
> = [
  ['the issuer of a valid token', {}, { issuer: TOKEN_ISSUER, jwksUri: JWKS_URI, tokenIssuer: TOKEN_ISSUER }],
  [
    'the issuer of access tokens',
    { access_token_issuer: TOKEN_ISSUER },
    { ...SETTINGS, issuer: TOKEN_ISSUER },
  ],
  ['that of version 1', { issuer: ENTRA }, { ...SETTINGS, issuer: 'https://sts.windows.net/9122040d/' }],
  ['keys of one application', {}, { ...SETTINGS, jwksUri: KEYS_OF_APPLICATION }],
  ['keys that verify a token', {}, { issuer: ISSUER, jwksUri: 'https://10.0.0.1/keys', tokenIssuer: ISSUER }],
];

describe('checkProvider', () => {
  it('finds nothing wrong with a provider as it should be', () => {
    const results = [...checkProvider(facts(), SETTINGS)];

    expect(results.map(({ level }) => level)).to.deep.equal(['ok', 'ok']);
  });

  for (const [title, given, level, finding, change] of MISTAKES) {
    it(`names ${title}`, () => {
      const found = [...checkProvider(given, SETTINGS)].filter((result) => result.level === level);

      expect(found.map(({ text }) => text).join('\n')).to.match(finding);
      if (change !== undefined) expect(found.map((result) => result.change).join('\n')).to.match(change);
    });
  }

  for (const [title, document, settings] of RIGHT) {
    it(`accepts ${title}`, () => {
      const results = [...checkProvider(facts({ document }), settings)];

      expect(results.map(({ level }) => level)).to.deep.equal(['ok', 'ok']);
    });
  }

  it('says nothing of the issuer if that of a valid token is to be set', () => {
    const settings = { ...SETTINGS, issuer: 'https://other.test/', tokenIssuer: TOKEN_ISSUER };

    expect(JSON.stringify([...checkProvider(facts(), settings)])).to.not.include('IDP_ISSUER=');
  });

  it('says nothing of a difference of clocks that the header cannot show', () => {
    expect(
      [...checkProvider(facts({ document: { clockAheadMs: 4_900 } }), SETTINGS)].map(({ level }) => level),
    ).to.not.include('problem');
  });
});
