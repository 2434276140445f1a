import { expect } from 'chai';
import { GetImage } from '../../src/application/files/open-image-file.ts';
import { ImageNotFound } from '../../src/domain/errors.ts';
import { COMMON_SPACE } from '../../src/domain/space/space.ts';
import { InMemoryImageRepository } from '../support/doubles/in-memory-image-repository.ts';
import { newImage } from '../support/fixtures/new-image.ts';
import { rejection } from '../support/fixtures/rejection.ts';
import { ManualClock } from '../support/time/manual-clock.ts';

describe('GetImage', () => {
  let images: InMemoryImageRepository;
  let getImage: GetImage;

  beforeEach(() => {
    images = new InMemoryImageRepository(new ManualClock());
    getImage = new GetImage(images);
  });

  it('resolves to the image with the id', async () => {
    await images.in(COMMON_SPACE).add(newImage());
    const second = await images.in(COMMON_SPACE).add(newImage());

    expect(await getImage.execute(COMMON_SPACE, second.id)).to.deep.equal(second);
  });

  it('rejects an id that was never assigned', async () => {
    const { id } = await images.in(COMMON_SPACE).add(newImage());

    expect(await rejection(getImage.execute(COMMON_SPACE, id + 1))).to.be.instanceOf(ImageNotFound);
  });

  it('rejects the id of a deleted image', async () => {
    const { id } = await images.in(COMMON_SPACE).add(newImage());
    await images.in(COMMON_SPACE).removeById(id);

    expect(await rejection(getImage.execute(COMMON_SPACE, id))).to.be.instanceOf(ImageNotFound);
  });
});
