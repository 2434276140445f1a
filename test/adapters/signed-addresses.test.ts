import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { expect } from 'chai';
import { NodeAddressSeal } from '../../src/adapters/system/node-address-seal.ts';

const signer = new NodeAddressSeal();

describe('The MAC of an address', () => {
  it('is HMAC-SHA256 in base64url', () => {
    // RFC 4231, test case 2.
    const mac = signer.sign(Buffer.from('Jefe'), 'what do ya want for nothing?');

    expect(Buffer.from(mac, 'base64url').toString('hex')).to.equal(
      '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    );
    expect(mac).to.match(/^[A-Za-z0-9_-]{43}$/);
  });

  it('makes secrets of 32 random bytes', () => {
    const [one, other] = [signer.makeSecret(), signer.makeSecret()];

    expect(one).to.have.length(32);
    expect(one).not.to.deep.equal(other);
  });

  it('verifies its own MACs, and no others', () => {
    const secret = signer.makeSecret();
    const mac = signer.sign(secret, 'text');

    expect(signer.verify(secret, 'text', mac)).to.equal(true);
    expect(signer.verify(secret, 'texts', mac)).to.equal(false);
    expect(signer.verify(signer.makeSecret(), 'text', mac)).to.equal(false);
    expect(signer.verify(secret, 'text', mac.slice(1))).to.equal(false);
    expect(signer.verify(secret, 'text', '')).to.equal(false);
  });

  it('refuses another text that decodes to the same bytes', () => {
    const secret = signer.makeSecret();
    const mac = signer.sign(secret, 'text');
    const bytes = Buffer.from(mac, 'base64url');
    // The last character has two bits that mean nothing.
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const twins = Array.from(alphabet, (last) => mac.slice(0, -1) + last).filter((text) => text !== mac);
    const same = twins.filter((text) => Buffer.from(text, 'base64url').equals(bytes));

    expect(same).to.have.length(3);
    for (const text of same) expect(signer.verify(secret, 'text', text)).to.equal(false);
  });

  describe('with the comparison of Node.js observed', () => {
    const { timingSafeEqual } = crypto;
    let compared: number[];

    beforeEach(() => {
      compared = [];
      crypto.timingSafeEqual = (a, b) => {
        compared.push(a.byteLength);
        return timingSafeEqual(a, b);
      };
      syncBuiltinESMExports();
    });

    afterEach(() => {
      crypto.timingSafeEqual = timingSafeEqual;
      syncBuiltinESMExports();
    });

    it('compares whole MACs in constant time, wherever they differ', () => {
      const secret = signer.makeSecret();
      const mac = signer.sign(secret, 'text');
      const other = (place: number): string =>
        mac.slice(0, place) + (mac[place] === 'A' ? 'B' : 'A') + mac.slice(place + 1);

      for (const given of [mac, other(0), other(21), other(42)]) signer.verify(secret, 'text', given);

      expect(compared).to.deep.equal([43, 43, 43, 43]);
    });
  });
});
