import { expect } from 'chai';
import { altOf, spokenName } from '../../../web/src/catalog/picture-name.ts';

const NOTHING = { title: null, alt: null, takenAt: null };
const TAKEN = { ...NOTHING, takenAt: '2026-05-03T14:03:22+02:00' };

describe('The text alternative of a picture', () => {
  it('is what somebody wrote, else the title, else a neutral word, with the time if it is known', () => {
    expect(altOf({ ...TAKEN, alt: 'A cat asleep', title: 'Chelsea' })).to.equal('A cat asleep');
    expect(altOf({ ...TAKEN, title: 'Chelsea' })).to.equal('Chelsea');
    expect(altOf(TAKEN)).to.equal('Picture of 3 May 2026, 14:03');
    expect(altOf(NOTHING)).to.equal('Picture');
  });

  it('is empty for a decorative picture, but a control that stands for it has a name', () => {
    expect(altOf({ ...NOTHING, alt: '', title: 'Ornament' })).to.equal('');
    expect(spokenName({ ...NOTHING, alt: '', title: 'Ornament' })).to.equal('Ornament');
    expect(spokenName({ ...NOTHING, alt: '' })).to.equal('Picture');
  });

  it('is known of a service that has no alternative texts', () => {
    expect(altOf({ title: 'Chelsea', takenAt: null })).to.equal('Chelsea');
  });
});
