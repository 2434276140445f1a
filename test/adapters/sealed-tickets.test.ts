import { createDecipheriv, hkdfSync, randomBytes, randomInt } from 'node:crypto';
import { expect } from 'chai';
import { NodeAddressSeal } from '../../src/adapters/system/node-address-seal.ts';

const CIPHER = new NodeAddressSeal();
const SECRET = randomBytes(32);
const TEXT = JSON.stringify(['an-id', 1_769_868_000_000, 5000, 'cats 🐈', null, { title: 'Ä' }]);

describe('A sealed ticket', () => {
  it('opens what it has sealed', () => {
    expect(CIPHER.open(SECRET, CIPHER.seal(SECRET, TEXT))).to.equal(TEXT);
    expect(CIPHER.open(SECRET, CIPHER.seal(SECRET, ''))).to.equal('');
  });

  it('seals one text in other characters each time, which show nothing of it', () => {
    const sealed = [CIPHER.seal(SECRET, TEXT), CIPHER.seal(SECRET, TEXT)];

    expect(sealed[0]).to.match(/^[A-Za-z0-9_-]+$/);
    expect(sealed[0]).not.to.equal(sealed[1]);
    expect(Buffer.from(sealed[0] ?? '', 'base64url').includes('an-id')).to.equal(false);
  });

  it('is AES-256-GCM under a key by HKDF (RFC 5869) from the secret, with a label of its own', () => {
    const bytes = Buffer.from(CIPHER.seal(SECRET, TEXT), 'base64url');
    const key = hkdfSync('sha256', SECRET, bytes.subarray(0, 16), 'image-catalog ticket 1', 32);
    const decipher = createDecipheriv('aes-256-gcm', Buffer.from(key), Buffer.alloc(12));
    decipher.setAuthTag(bytes.subarray(-16));

    expect(decipher.update(bytes.subarray(16, -16), undefined, 'utf8') + decipher.final('utf8')).to.equal(
      TEXT,
    );
  });

  it('opens nothing under another secret', () => {
    expect(CIPHER.open(randomBytes(32), CIPHER.seal(SECRET, TEXT))).to.equal(undefined);
  });

  it('opens nothing in which a bit is another one', () => {
    const sealed = Buffer.from(CIPHER.seal(SECRET, TEXT), 'base64url');
    for (let bit = 0; bit < sealed.length * 8; bit += 1) {
      const altered = Buffer.from(sealed);
      altered[bit >> 3] = (altered[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(CIPHER.open(SECRET, altered.toString('base64url')), `bit ${bit}`).to.equal(undefined);
    }
  });

  it('opens nothing that is cut, longer, spelled otherwise, or no base64url', () => {
    const sealed = CIPHER.seal(SECRET, TEXT);
    const cuts = Array.from({ length: sealed.length }, (_, end) => sealed.slice(0, end));
    const others = [`${sealed}A`, `${sealed}=`, ` ${sealed}`, sealed.replace(/./, '+'), '🐈', '%41'];
    const random = Array.from({ length: 100 }, () => randomBytes(randomInt(100)).toString('base64url'));

    for (const text of [...cuts, ...others, ...random]) {
      expect(CIPHER.open(SECRET, text), text).to.equal(undefined);
    }
  });
});
