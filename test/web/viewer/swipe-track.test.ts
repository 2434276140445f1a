import { expect } from 'chai';
import { resisted, restOf } from '../../../web/src/viewer/swipe-track.ts';

const SIZE = { width: 1000, height: 600 };

describe('the track of the viewer', () => {
  it('follows a finger to a picture that is there', () => {
    expect(resisted({ x: -100, y: 0 }, (swipe) => swipe === 'next')).to.deep.equal({ x: -100, y: 0 });
    expect(resisted({ x: 100, y: 0 }, (swipe) => swipe === 'previous')).to.deep.equal({ x: 100, y: 0 });
  });

  it('follows less far if there is no picture', () => {
    expect(resisted({ x: -100, y: 0 }, () => false)).to.deep.equal({ x: -30, y: 0 });
  });

  it('follows down, which closes the viewer, and less far up', () => {
    expect(resisted({ x: 0, y: 100 }, () => false)).to.deep.equal({ x: 0, y: 100 });
    expect(resisted({ x: 0, y: -100 }, () => true)).to.deep.equal({ x: 0, y: -30 });
  });

  it('rests with the neighbour in the middle, beyond the gap', () => {
    expect(restOf('next', SIZE)).to.deep.equal({ x: -1024, y: 0 });
    expect(restOf('previous', SIZE)).to.deep.equal({ x: 1024, y: 0 });
    expect(restOf(undefined, SIZE)).to.include({ x: 0, y: 0 });
  });
});
