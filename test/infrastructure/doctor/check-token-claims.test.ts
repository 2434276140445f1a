import { expect } from 'chai';
import { PublishedKeys } from '../../../src/adapters/http/auth/published-keys.ts';
import type { CheckResult } from '../../../src/infrastructure/doctor/check-result.ts';
import { checkToken, type TokenSettings } from '../../../src/infrastructure/doctor/check-token.ts';
import { jwk, rawToken, rsaKey, signToken } from '../../support/fixtures/tokens.ts';

type Claims = Readonly<Record<string, unknown>>;

const EXPECTED = { issuer: 'https://tenant.example.com/', audience: 'https://images.example.test/api' };
const NOW = Date.now();
const VALID = {
  iss: EXPECTED.issuer,
  aud: EXPECTED.audience,
  sub: 'alice',
  exp: Math.floor(NOW / 1000) + 3600,
};

/** What `doctor` says about a valid token with these claims. */
function check(claims: Claims, settings: Partial<TokenSettings>): readonly CheckResult[] {
  const token = signToken({ ...VALID, ...claims }, rsaKey('one'));
  const all = { ...EXPECTED, scopes: {}, spaceClaim: undefined, ...settings };
  return [...checkToken(token, undefined, all, NOW)];
}

describe('checkToken with scopes', () => {
  it('warns of each scope that is missing', () => {
    const scopes = { read: 'images:read', write: 'images:write' };
    const results = check({ scope: 'images:read' }, { scopes });

    const warnings = results.filter(({ text }) => text.includes('lacks'));
    expect(warnings.map(({ text }) => text)).to.deep.equal([
      'The token lacks the scope images:write (SCOPE_WRITE): requests that need it would get 403',
    ]);
  });

  for (const [claim, more] of [
    ['scope', { scope: ['images:read'], scp: 'images:read' }],
    ['scp', { scp: ['openid', 'images:read'] }],
    ['permissions', { scope: 'openid', permissions: ['images:read'] }],
  ] as const) {
    it(`names the claim of a scope: ${claim}`, () => {
      const results = check(more, { scopes: { read: 'images:read' } });

      expect(results.at(-1)).to.deep.equal({
        level: 'ok',
        text: `The claim ${claim} of the token has the scope images:read (SCOPE_READ)`,
      });
    });
  }

  for (const [found, more] of [
    ['roles', { roles: ['images:read'] }],
    ['scp', { scope: 'openid', scp: 'images:read' }],
    ['permissions', { permissions: 'images:read' }],
    ['/realm_access/roles', { realm_access: { roles: ['x', 'images:read'] } }],
    [
      '/resource_access/https:~1~1cats/roles',
      { resource_access: { 'https://cats': { roles: ['images:read'] } } },
    ],
    ['https://example.com/roles', { 'https://example.com/roles': ['images:read'] }],
  ] as const) {
    it(`says that ${found} has the scope, but does not count`, () => {
      const result = check(more, { scopes: { read: 'images:read' } }).at(-1);

      expect(result?.level).to.equal('warning');
      expect(result?.text).to.include(`The word stands in the claim "${found}", which does not count`);
    });
  }

  it('looks for a scope in claims of any depth and size', () => {
    const deep = JSON.parse(`${'{"a":'.repeat(2000)}["images:read"]${'}'.repeat(2000)}`) as object;
    const more = { deep, many: Array.from({ length: 10_000 }, (_, at) => at), text: 'x '.repeat(10_000) };
    const result = check(more, { scopes: { read: 'images:read' } }).at(-1);

    expect(result?.text).to.match(/would get 403$/);
  });
});

describe('checkToken with SPACE_CLAIM', () => {
  const checkSpace = (more: Claims, claim = 'org_id') => check(more, { spaceClaim: claim }).at(-1);

  for (const [said, more] of [
    ['The space of the token is "cats" (SPACE_CLAIM)', { o: { id: 'cats' } }],
    ['the claim /o/id is "7"', { o: { id: 7 } }],
    ['there is no claim /o/id.', { o: {} }],
    ['there is no claim /o.', {}],
  ] as const) {
    it(`says what a JSON Pointer finds: ${said}`, () => {
      expect(checkSpace(more, '/o/id')?.text).to.include(said);
    });
  }

  it('names the space of a token', () => {
    expect(checkSpace({ org_id: 'cats' })).to.include({
      level: 'ok',
      text: 'The space of the token is "cats" (SPACE_CLAIM)',
    });
  });

  for (const [said, more] of [
    ['there is no claim org_id', {}],
    ['the claim org_id is ""', { org_id: '' }],
    ['the claim org_id is "[1]"', { org_id: [1] }],
  ] as const) {
    it(`explains that a token names no space if ${said}`, () => {
      const result = checkSpace(more);

      expect(result?.level).to.equal('problem');
      expect(result?.text).to.include(said).and.to.include('403 "space_missing"');
    });
  }
});

describe('checkToken with control characters in the token', () => {
  const HOSTILE = 'x"\n\r\u001b[31m\u007f\u009b2J\u202e';
  const settings = { ...EXPECTED, scopes: { read: 'images:read', allSpaces: 'all' }, spaceClaim: 'org' };
  const HOSTILE_CLAIMS: Readonly<Record<string, Claims>> = {
    aud: { aud: HOSTILE },
    'aud of several texts': { aud: [HOSTILE, EXPECTED.issuer] },
    iss: { iss: HOSTILE },
    'iss of Cognito': { iss: `https://cognito-idp.${HOSTILE}`, aud: undefined, client_id: HOSTILE },
    'client_id of Cognito': {
      iss: 'https://cognito-idp.eu-west-1.amazonaws.com/x',
      aud: undefined,
      client_id: HOSTILE,
    },
    'iss of Okta': { iss: `https://${HOSTILE}.okta.com`, aud: `https://${HOSTILE}.okta.com` },
    'sid of Clerk': { aud: undefined, sid: `sess_${HOSTILE}` },
    scope: { scope: HOSTILE },
    scp: { scp: [HOSTILE] },
    permissions: { permissions: [HOSTILE] },
    'the name of a claim': { [HOSTILE]: ['images:read'], roles: { [HOSTILE]: ['images:read'] } },
    'the space': { org: HOSTILE },
    'a list as the space': { org: [HOSTILE] },
    'the space of a token for all spaces': { org: HOSTILE, scope: 'all' },
  };
  const HOSTILE_HEADERS: Readonly<Record<string, object>> = {
    alg: { alg: HOSTILE },
    kid: { alg: 'RS256', kid: HOSTILE },
    cat: { alg: 'RS256', kid: 'one', cat: `cl_${HOSTILE}` },
  };

  for (const [what, claims] of Object.entries(HOSTILE_CLAIMS)) {
    for (const isVerified of [true, false]) {
      it(`shows none of those in ${what} of a token that is ${isVerified ? '' : 'not '}verified`, async () => {
        const keys = await keysOf(isVerified ? 'one' : 'two');
        const token = signToken({ ...VALID, ...claims }, rsaKey('one'));
        expectPlain([...checkToken(token, keys, settings, NOW)]);
      });
    }
  }

  for (const [what, header] of Object.entries(HOSTILE_HEADERS)) {
    it(`shows none of those in ${what} of the header`, async () => {
      const token = rawToken(header, { ...VALID, aud: undefined }, rsaKey('one').privateKey);
      expectPlain([...checkToken(token, await keysOf('one'), settings, NOW)]);
    });
  }

  it('puts no audience of a token that is not verified into a line of .env', async () => {
    const token = signToken({ ...VALID, aud: 'other' }, rsaKey('one'));
    const changeWith = async (key: string): Promise<string | undefined> =>
      [...checkToken(token, await keysOf(key), settings, NOW)].find(({ text }) => text.includes('is for'))
        ?.change;

    expect(await changeWith('one')).to.match(/^IDP_AUDIENCE=other if /);
    expect(await changeWith('two'))
      .to.match(/if "other" is this API/)
      .and.not.include('IDP_AUDIENCE=');
  });

  async function keysOf(name: string): Promise<PublishedKeys> {
    return await PublishedKeys.parse({ keys: [jwk(rsaKey(name), { kid: 'one' })] });
  }

  function expectPlain(results: readonly CheckResult[]): void {
    for (const { text, change = '' } of results) {
      expect(`${text}${change}`).to.match(/^[^\p{Cc}\p{Bidi_Control}]+$/u);
    }
  }
});
