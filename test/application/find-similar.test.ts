import { expect } from 'chai';
import { FindSimilar } from '../../src/application/find/find-similar.ts';
import { ImageNotFound } from '../../src/domain/errors.ts';
import { COMMON_SPACE } from '../../src/domain/space/space.ts';
import { InMemoryImageRepository } from '../support/doubles/in-memory-image-repository.ts';
import { InMemorySimilarImages } from '../support/doubles/in-memory-similar-images.ts';
import { intercepted } from '../support/doubles/intercepted.ts';
import { CALLER, newSearches } from '../support/doubles/staying.ts';
import { flipped, imageHashes, SOME_HASH } from '../support/fixtures/image-hashes.ts';
import { newImage } from '../support/fixtures/new-image.ts';
import { rejection } from '../support/fixtures/rejection.ts';
import { ManualClock } from '../support/time/manual-clock.ts';

describe('FindSimilar', () => {
  let images: InMemoryImageRepository;
  let findSimilar: FindSimilar;

  beforeEach(() => {
    images = new InMemoryImageRepository(new ManualClock());
    findSimilar = new FindSimilar(images, new InMemorySimilarImages(images), newSearches());
  });

  async function add(bits: number, sha256 = `${bits}`.repeat(64).slice(0, 64)): Promise<number> {
    const dHash = flipped(
      SOME_HASH,
      Array.from({ length: bits }, (_, bit) => bit),
    );
    return (await images.in(COMMON_SPACE).add(newImage({ sha256, hashes: imageHashes({ dHash }) }))).id;
  }

  async function found(id: number): Promise<ReadonlyArray<readonly [number, number, string]>> {
    return (await findSimilar.report(COMMON_SPACE, id)).map(({ image, distance, kind }) => [
      image.id,
      distance,
      kind,
    ]);
  }

  it('takes distances up to 10 and 20 images, unless the caller says otherwise', async () => {
    const id = await add(0);
    for (let count = 0; count < 21; count += 1) await add(10);
    const beyond = await add(11);

    expect(await found(id)).to.have.length(20);
    const all = await findSimilar.execute(COMMON_SPACE, id, { distance: 11, limit: 100 }, CALLER);
    expect(all.map(({ image }) => image.id))
      .to.have.length(22)
      .and.include(beyond);
  });

  it('throws ImageNotFound for an unknown id', async () => {
    expect(await rejection(findSimilar.report(COMMON_SPACE, 404))).to.be.instanceOf(ImageNotFound);
  });

  async function foundWhileRemoved(id: number, removed: number): Promise<readonly number[]> {
    const similarImages = intercepted(new InMemorySimilarImages(images), async (_, proceed) => {
      const result = await proceed();
      await images.in(COMMON_SPACE).removeById(removed);
      return result;
    });
    const similar = await new FindSimilar(images, similarImages, newSearches()).report(COMMON_SPACE, id);
    return similar.map(({ image }) => image.id);
  }

  it('leaves out images that are removed during the search', async () => {
    const [id, removed, stays] = [await add(0), await add(1), await add(2)];

    expect(await foundWhileRemoved(id, removed)).to.deep.equal([stays]);
  });

  it('throws ImageNotFound if the image is removed during the search', async () => {
    const [id] = [await add(0), await add(1)];

    expect(await rejection(foundWhileRemoved(id, id))).to.be.instanceOf(ImageNotFound);
  });
});
