import { expect } from 'chai';
import * as fc from 'fast-check';
import {
  LONGEST_LINK_MS,
  linkExpiry,
  MAX_LINK_SECONDS,
  MIN_LINK_SECONDS,
} from '../../src/domain/link/link-expiry.ts';

const ttls = fc.integer({ min: MIN_LINK_SECONDS, max: MAX_LINK_SECONDS });
const times = fc.integer({ min: 0, max: Date.parse('2100-01-01T00:00:00Z') });

describe('the expiry of a link', () => {
  it('is the next multiple of a tenth of the time to live', () => {
    // 3,600 s in windows of 360 s.
    expect(linkExpiry(new Date(360_000_000), 3600)).to.equal(363_600);
    expect(linkExpiry(new Date(360_000_001), 3600)).to.equal(363_960);
    expect(linkExpiry(new Date(360_360_000), 3600)).to.equal(363_960);
  });

  it('rounds a window down to whole seconds', () => {
    // 69 s in windows of 6 s.
    expect(linkExpiry(new Date(0), 69)).to.equal(72);
  });

  it('lies at least the time to live ahead, and less than a tenth more', () => {
    fc.assert(
      fc.property(ttls, times, (ttl, time) => {
        const left = linkExpiry(new Date(time), ttl) * 1000 - time;
        expect(left).to.be.within(ttl * 1000, ttl * 1100);
        expect(left).to.be.at.most(LONGEST_LINK_MS);
      }),
    );
  });

  it('is the same for all callers within a window', () => {
    fc.assert(
      fc.property(ttls, times, fc.nat(), (ttl, time, later) => {
        const windowMs = Math.floor(ttl / 10) * 1000;
        const expiry = linkExpiry(new Date(time), ttl);
        const lastOfWindow = (expiry - ttl) * 1000;
        const other = Math.max(lastOfWindow - windowMs + 1, lastOfWindow - (later % windowMs));
        expect(linkExpiry(new Date(other), ttl)).to.equal(expiry);
      }),
    );
  });
});
