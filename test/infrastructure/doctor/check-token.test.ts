import { expect } from 'chai';
import jwt from 'jsonwebtoken';
import { PublishedKeys } from '../../../src/adapters/http/auth/published-keys.ts';
import { checkToken } from '../../../src/infrastructure/doctor/check-token.ts';
import { jwk, rawToken, rsaKey, segment, signToken } from '../../support/fixtures/tokens.ts';
import { TestService } from '../../support/http/test-service.ts';
import { publish } from '../../support/servers/signing-key-server.ts';

const KEY = rsaKey('one');
const OTHER = rsaKey('two');
const TWIN = rsaKey('twin');
const DAMAGED = [undefined, 5, []].map((e) => jwk(OTHER, { e }));
const NAMELESS = jwk(KEY, { kid: '' });
const JWKS = { keys: [...DAMAGED, jwk(KEY), jwk(OTHER), jwk(TWIN, { kid: 'two' }), NAMELESS] };
const AUDIENCE = 'https://images.example.test/api';
const SECRET = 'a secret of some length for HS256';

const COGNITO = 'https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_Cats1';

const now = Date.now();
const inSeconds = (seconds: number): number => Math.floor(now / 1000) + seconds;

type Claims = Readonly<Record<string, unknown>>;
type Case = readonly [
  title: string,
  token: (claims: Claims) => string,
  finding: RegExp | undefined,
  change?: RegExp,
];

const CASES: readonly Case[] = [
  ['a valid token', (claims) => signToken(claims, KEY), undefined],
  [
    'a token for several audiences',
    (claims) => signToken({ ...claims, aud: ['x', AUDIENCE] }, KEY),
    undefined,
  ],
  [
    'a token of the second key of a kid',
    (claims) => rawToken({ alg: 'RS256', kid: 'two' }, claims, TWIN.privateKey),
    undefined,
  ],
  ['no token', () => '', /no token on standard input/],
  ['an opaque token', () => 'b6d1c8e04a7f', /opaque/, /names the audience/],
  ['an encrypted token', () => 'a.b.c.d.e', /encrypted/],
  ['a token without an expiry', (claims) => withoutClaim(claims, 'exp'), /numeric exp/],
  [
    'a token without a signature',
    (claims) => signToken(claims, KEY).replace(/[^.]+$/, ''),
    /with a signature/,
  ],
  ['a token of HS256', (claims) => jwt.sign(claims, SECRET), /signed with "HS256"/, /RS256/],
  [
    'a token without an algorithm',
    (claims) => `${segment({})}.${segment(claims)}.YQ`,
    /signed with "nothing"/,
  ],
  [
    'a key that is not published',
    (claims) => signToken(claims, rsaKey('three')),
    /key "three", which the provider does not publish/,
    /IDP_DOMAIN/,
  ],
  [
    'an empty kid, which one key has',
    (claims) => rawToken({ alg: 'RS256', kid: '' }, claims, KEY.privateKey),
    /key "", which the provider does not publish/,
  ],
  [
    'a token without a kid if two keys are published',
    (claims) => rawToken({ alg: 'RS256' }, claims, KEY.privateKey),
    /names no kid/,
  ],
  [
    'a signature of another key',
    (claims) => rawToken({ alg: 'RS256', kid: 'one' }, claims, OTHER.privateKey),
    /does not fit the key/,
  ],
  [
    'an expired token',
    (claims) => signToken({ ...claims, exp: inSeconds(-60) }, KEY),
    /expired 6\d s ago/,
    /new token/,
  ],
  [
    'a token of the future',
    (claims) => signToken({ ...claims, nbf: inSeconds(3600) }, KEY),
    /only \d+ s from now/,
    /NTP/,
  ],
  ['another audience', (claims) => signToken({ ...claims, aud: 'x' }, KEY), /is for "x"/, /^IDP_AUDIENCE=x/m],
  ['no audience', (claims) => withoutClaim(claims, 'aud'), /has no audience/, /request the token/],
  [
    'another issuer',
    (claims) => signToken({ ...claims, iss: 'https://x.test' }, KEY),
    /from the issuer "https:\/\/x\.test"/,
    /^IDP_ISSUER=https:\/\/x\.test/m,
  ],
  [
    'another issuer, whose keys are not those of the provider',
    (claims) => signToken({ ...claims, iss: 'https://x.test' }, rsaKey('three')),
    /from the issuer "https:\/\/x\.test"/,
    /if "https:\/\/x\.test" is your provider, set it by image-catalog init/,
  ],
  [
    'the audience of all clients of a realm of Keycloak',
    (claims) => signToken({ ...claims, aud: 'account', realm_access: {} }, KEY),
    /is for "account"/,
    /^let a mapper "Audience".*Only if that is impossible, IDP_AUDIENCE=account/m,
  ],
  [
    'a client ID of Cognito that is none',
    (claims) => signToken({ ...claims, aud: undefined, iss: COGNITO, client_id: 'a\nb' }, KEY),
    /has no audience/,
    /IDP_AUDIENCE=the client ID /,
  ],
  ['no issuer', (claims) => withoutClaim(claims, 'iss'), /has no issuer/],
];

function withoutClaim(claims: Claims, name: string): string {
  // JSON leaves out what is undefined.
  return rawToken({ alg: 'RS256', kid: 'one' }, { ...claims, [name]: undefined }, KEY.privateKey);
}

describe('checkToken', () => {
  let service: TestService;
  let claims: Claims;
  let keys: PublishedKeys;

  before(async () => {
    keys = await PublishedKeys.parse(JWKS);
    service = await TestService.start();
    service.identityProvider.answer = publish(JWKS.keys);
    claims = { iss: service.identityProvider.domain, aud: AUDIENCE, sub: 'alice', exp: inSeconds(3600) };
  });

  after(() => service.stop());

  const settings = () => {
    const { domain } = service.identityProvider;
    return { issuer: domain, audience: AUDIENCE, scopes: {}, spaceClaim: undefined };
  };
  const check = (token: string) => [...checkToken(token, keys, settings(), now)];

  for (const [title, tokenOf, finding, change] of CASES) {
    it(`${finding === undefined ? 'accepts' : 'explains'} ${title}, as the service does`, async () => {
      const token = tokenOf(claims);
      const problems = check(token).filter(({ level }) => level === 'problem');
      const { status, body } = await service
        .anonymous('get', '/api/images')
        .set('Authorization', `Bearer ${token}`);

      expect(status).to.equal(finding === undefined ? 200 : 401);
      expect(problems.length > 0).to.equal(finding !== undefined);
      if (finding !== undefined) expect(problems.map(({ text }) => text).join('\n')).to.match(finding);
      const [, quoted = body.message] = /would get 401 "(.*)"$/.exec(problems[0]?.text ?? '') ?? [];
      expect(quoted).to.equal(body.message);
      if (change !== undefined) expect(problems.map((result) => result.change).join('\n')).to.match(change);
    });
  }

  it('reports every problem of a token', () => {
    const token = signToken({ ...claims, aud: 'x', iss: 'y', exp: inSeconds(-1) }, rsaKey('three'));

    expect(check(token).filter(({ level }) => level === 'problem')).to.have.length(4);
  });

  it('asks for no space if SPACE_CLAIM is not set', () => {
    expect(JSON.stringify(check(signToken(claims, KEY)))).to.not.include('SPACE_CLAIM');
  });

  for (const [space, own] of [
    [undefined, 'names no space'],
    ['acme', 'is of the space "acme"'],
  ] as const) {
    it(`says that a token may act in every space, if it ${own}`, () => {
      const ofSpaces = { ...settings(), scopes: { allSpaces: 'all' }, spaceClaim: 'org' };
      const findings = (scope: string) => [
        ...checkToken(signToken({ ...claims, scope, org: space }, KEY), keys, ofSpaces, now),
      ];

      const said = findings('read all').filter(({ text }) => text.includes('SCOPE_ALL_SPACES'));
      expect(said.map(({ level, text }) => [level, text.includes(own)])).to.deep.equal([['ok', true]]);
      expect(JSON.stringify(findings('read'))).to.not.include('SCOPE_ALL_SPACES');
    });
  }

  it('never repeats the token', () => {
    for (const [, tokenOf] of CASES) {
      const token = tokenOf(claims);
      const said = JSON.stringify(check(token));
      for (const part of token.split('.').filter(({ length }) => length > 8)) {
        expect(said).to.not.include(part);
      }
    }
  });

  it('accepts a token with the scheme before it and a line feed behind it', () => {
    const results = check(`Bearer ${signToken(claims, KEY)}\n`);

    expect(results.filter(({ level }) => level !== 'ok')).to.deep.equal([]);
  });

  it('says that the signature is not checked without keys', () => {
    const results = [...checkToken(signToken(claims, KEY), undefined, settings(), now)];

    expect(results.filter(({ level }) => level === 'warning')).to.have.length(1);
  });
});
