import { expect } from 'chai';
import type { Claims } from '../../src/adapters/http/auth/claims.ts';
import { TokenCache } from '../../src/adapters/http/auth/token-cache.ts';
import { ManualClock } from '../support/time/manual-clock.ts';

const HEADER = 'Bearer a.b.c';

describe('TokenCache', () => {
  let clock: ManualClock;
  let tokens: TokenCache;
  let claims: Claims;

  beforeEach(() => {
    clock = new ManualClock();
    tokens = new TokenCache(clock);
    claims = { sub: 'alice', exp: clock.now().getTime() / 1_000 + 3_600, realm: { roles: ['admin'] } };
  });

  it('returns the claims of a token that was added', () => {
    tokens.add(HEADER, claims, 1);
    expect(tokens.find(HEADER, 1)).to.deep.equal(claims);
  });

  it('returns undefined for another header', () => {
    tokens.add(HEADER, claims, 1);
    expect(tokens.find(`${HEADER}d`, 1)).to.equal(undefined);
    expect(tokens.find('', 1)).to.equal(undefined);
  });

  it('removes tokens that were verified with other keys', () => {
    tokens.add(HEADER, claims, 1);
    expect(tokens.find(HEADER, 2)).to.equal(undefined);
    expect(tokens.find(HEADER, 1)).to.equal(undefined);
  });

  it('removes a token when it expires', () => {
    tokens.add(HEADER, { ...claims, exp: clock.now().getTime() / 1_000 + 10 }, 1);
    clock.advance(9_999);
    expect(tokens.find(HEADER, 1)).not.to.equal(undefined);
    clock.advance(1);
    expect(tokens.find(HEADER, 1)).to.equal(undefined);
  });

  it('removes a token after a minute, however often it is used', () => {
    tokens.add(HEADER, claims, 1);
    clock.advance(30_000);
    tokens.find(HEADER, 1);
    clock.advance(30_000);
    expect(tokens.find(HEADER, 1)).not.to.equal(undefined);
    clock.advance(1);
    expect(tokens.find(HEADER, 1)).to.equal(undefined);
  });

  it('removes a token when the clock is set back', () => {
    tokens.add(HEADER, claims, 1);
    clock.advance(-1);
    expect(tokens.find(HEADER, 1)).to.equal(undefined);
  });

  it('keeps the thousand most recently used tokens', () => {
    for (let i = 0; i < 1_000; i += 1) tokens.add(`Bearer ${i}`, claims, 1);
    tokens.find('Bearer 0', 1);
    tokens.add(HEADER, claims, 1);
    expect(tokens.find('Bearer 0', 1)).not.to.equal(undefined);
    expect(tokens.find('Bearer 1', 1)).to.equal(undefined);
  });

  it('returns immutable claims', () => {
    tokens.add(HEADER, claims, 1);
    const found = tokens.find(HEADER, 1) as { sub: string; realm: { roles: string[] } } & Claims;
    expect(() => Object.assign(found, { sub: 'mallory' })).to.throw(TypeError);
    expect(() => found.realm.roles.push('owner')).to.throw(TypeError);
  });

  it('accepts claims that are nested as deeply as a header allows', () => {
    const deep: unknown = JSON.parse(`${'['.repeat(12_000)}${']'.repeat(12_000)}`);
    tokens.add(HEADER, { ...claims, deep }, 1);
    expect(tokens.find(HEADER, 1)).not.to.equal(undefined);
  });
});
