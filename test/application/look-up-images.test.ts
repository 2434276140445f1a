import { expect } from 'chai';
import { LookUpImages } from '../../src/application/find/look-up-images.ts';
import { COMMON_SPACE } from '../../src/domain/space/space.ts';
import { InMemoryImageRepository } from '../support/doubles/in-memory-image-repository.ts';
import { newImage } from '../support/fixtures/new-image.ts';
import { ManualClock } from '../support/time/manual-clock.ts';

describe('LookUpImages', () => {
  it('returns the ids of the known digests alone', async () => {
    const images = new InMemoryImageRepository(new ManualClock());
    const sha256 = 'b'.repeat(64);
    const { id } = await images.in(COMMON_SPACE).add(newImage({ sha256 }));

    const found = await new LookUpImages(images).execute(COMMON_SPACE, [sha256, 'c'.repeat(64)]);

    expect(found).to.deep.equal(new Map([[sha256, [id]]]));
  });
});
