import { expect } from 'chai';
import { isTimeout, sharp } from '../../src/adapters/sharp/sharp.ts';
import { rejection } from '../support/fixtures/rejection.ts';

describe('isTimeout', () => {
  it('is true for the message with which sharp gives up a picture for its time', () => {
    // As in VipsProgressCallBack of sharp's common.cc; more messages of libvips may surround it.
    expect(isTimeout(new Error('timeout: 43% complete'))).to.equal(true);
    expect(isTimeout(new Error('VipsJpeg: out of order\ntimeout: 0% complete'))).to.equal(true);
  });

  it('is false for a picture that does not decode', async () => {
    expect(isTimeout(await rejection(sharp(Buffer.from('no picture')).toBuffer()))).to.equal(false);
  });
});
