import { expect } from 'chai';
import { filenameOf } from '../../src/domain/image/filename-of.ts';
import { newImage } from '../support/fixtures/new-image.ts';

describe('filenameOf', () => {
  const uuid = '5f0f1d5e-3c1b-4a53-9f0a-6d2f8c7b1e42';

  it('does not change the original name', () => {
    const originalName = `-it's "100%" 日本語 🐈.PNG`;

    expect(filenameOf(newImage({ uuid, originalName }))).to.equal(`${uuid}-${originalName}`);
  });
});
