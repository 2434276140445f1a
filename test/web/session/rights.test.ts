import { expect } from 'chai';
import { grantedScopes } from '../../../web/src/session/granted-scopes.ts';
import { rightsOf } from '../../../web/src/session/rights.ts';

function jwt(claims: unknown): string {
  return ['{"alg":"RS256"}', JSON.stringify(claims), 'signature']
    .map((part) => Buffer.from(part).toString('base64url'))
    .join('.');
}

describe('the scopes of a token', () => {
  it('are those that the service reads: the claim scope and the permissions', () => {
    const token = jwt({ name: 'Ä?>~', scope: 'openid images:read', permissions: ['images:write'] });

    expect(grantedScopes({ access_token: token, scope: 'openid images:delete' })).to.deep.equal([
      'openid',
      'images:read',
      'images:write',
    ]);
    expect(grantedScopes({ access_token: jwt({ permissions: [] }) })).to.deep.equal([]);
  });

  for (const [claims, scopes] of [
    [{ scope: ['openid', 'images:read', 7, null] }, ['openid', 'images:read']],
    [{ scp: 'openid images:read' }, ['openid', 'images:read']],
    [{ scope: null, scp: ['images:read'], permissions: ['images:write'] }, ['images:read', 'images:write']],
    [{ scope: 'openid', scp: ['images:read'] }, ['openid']],
    [{ scope: [], scp: ['images:read'] }, []],
    [{ permissions: [1, 'images:write'] }, ['images:write']],
  ] as const) {
    it(`of ${JSON.stringify(claims)} are ${JSON.stringify(scopes)}`, () => {
      expect(grantedScopes({ access_token: jwt(claims), scope: 'openid images:delete' })).to.deep.equal(
        scopes,
      );
    });
  }

  for (const [what, token] of [
    ['opaque', 'v2.local'],
    ['no JSON', 'a.b.c'],
    ['no object', jwt(null)],
    ['without scopes', jwt({ scope: { a: 1 }, scp: 'access' })],
  ] as const) {
    it(`are those that the provider names if the token is ${what}`, () => {
      expect(grantedScopes({ access_token: token, scope: 'openid images:read' })).to.deep.equal([
        'openid',
        'images:read',
      ]);
      expect(grantedScopes({ access_token: token })).to.equal(undefined);
    });
  }
});

const NONE = { write: false, delete: false, publish: false, seePublished: false };

describe('what is offered', () => {
  const scopes = { write: 'images:write', delete: 'images:delete', publish: 'images:publish' };
  const config = { readOnly: false, publishNames: true, scopes };

  it('is what the scopes allow', () => {
    expect(rightsOf(config, ['images:write'])).to.deep.equal({ ...NONE, write: true });
    expect(rightsOf(config, ['images:delete'])).to.deep.equal({ ...NONE, delete: true });
    expect(rightsOf(config, [])).to.deep.equal(NONE);
  });

  it('is everything if no scopes are asked for, or those of the token are not known', () => {
    const all = { write: true, delete: true, publish: true, seePublished: true };
    const none = { write: null, delete: null, publish: null };
    expect(rightsOf({ ...config, scopes: none }, [])).to.deep.equal(all);
    expect(rightsOf(config, undefined)).to.deep.equal(all);
  });

  it('is to view alone if the catalog is read-only', () => {
    const readOnly = { ...config, readOnly: true };
    expect(rightsOf(readOnly, ['images:write', 'images:delete'])).to.deep.equal(NONE);
    const seen = rightsOf(readOnly, ['images:write', 'images:publish']);
    expect(seen).to.deep.equal({ ...NONE, seePublished: true });
  });

  it('is to publish with the scopes for it and for changes, where names are published', () => {
    const scoped = ['images:write', 'images:publish'];
    expect(rightsOf(config, scoped)).to.include({ publish: true, seePublished: true });
    expect(rightsOf(config, ['images:publish'])).to.include({ publish: false, seePublished: false });
    expect(rightsOf({ ...config, publishNames: false }, scoped)).to.deep.equal({ ...NONE, write: true });
  });
});
