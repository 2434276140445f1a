import { expect } from 'chai';
import { BLOB_KEY_LENGTH, isBlobKey, parseBlobKey } from '../../src/domain/image/blob-key.ts';

const KEY = '5f0f1d5e-3c1b-4a53-9f0a-6d2f8c7b1e42';

describe('A blob key', () => {
  it('is a lower-case UUID', () => {
    expect(isBlobKey(KEY)).to.equal(true);
    expect(parseBlobKey(KEY)).to.equal(KEY);
    expect(KEY).to.have.length(BLOB_KEY_LENGTH);
  });

  for (const text of [
    '',
    '../../passwd',
    KEY.toUpperCase(),
    `${KEY}\n`,
    `../${KEY}`,
    `${KEY}0`,
    KEY.slice(1),
  ]) {
    it(`is not ${JSON.stringify(text)}`, () => {
      expect(isBlobKey(text)).to.equal(false);
      expect(() => parseBlobKey(text)).to.throw(TypeError);
    });
  }
});
