import { expect } from 'chai';
import { DeleteImage } from '../../src/application/delete-image.ts';
import { ImageNotFound, StorageUnavailable } from '../../src/domain/errors.ts';
import type { Image } from '../../src/domain/image/image.ts';
import { COMMON_SPACE } from '../../src/domain/space/space.ts';
import { CatalogDoubles } from '../support/doubles/catalog-doubles.ts';
import { failing, recorded } from '../support/doubles/intercepted.ts';
import { jpegBytes } from '../support/fixtures/bytes.ts';

describe('DeleteImage', () => {
  let { images, blobs, renditions, log, addImage } = new CatalogDoubles();
  let deleteImage: DeleteImage;
  let image: Image;

  beforeEach(async () => {
    ({ images, blobs, renditions, log, addImage } = new CatalogDoubles());
    deleteImage = new DeleteImage(images, { blobs, renditions });
    image = await addImage();
  });

  it('removes the record before the bytes', async () => {
    const calls: string[] = [];
    const bytes = { blobs: recorded(blobs, calls), renditions: recorded(renditions, calls) };

    await new DeleteImage(recorded(images, calls), bytes).execute(COMMON_SPACE, image.id, { log });

    expect(calls.slice(0, 2)).to.deep.equal(['findById', 'removeById']);
    expect(calls.slice(2)).to.have.members(['remove', 'removeAllOf']);
  });

  it('succeeds for exactly one of several concurrent callers', async () => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 5 }, () => deleteImage.execute(COMMON_SPACE, image.id, { log })),
    );

    const refusals = outcomes.flatMap((outcome): unknown[] =>
      outcome.status === 'rejected' ? [outcome.reason] : [],
    );
    expect(refusals).to.have.length(4);
    for (const refusal of refusals) expect(refusal).to.be.instanceOf(ImageNotFound);
  });

  const failure = new StorageUnavailable();
  for (const [what, portsOf] of [
    ['blob', () => ({ blobs: failing(blobs, 'remove', failure), renditions })],
    ['renditions', () => ({ blobs, renditions: failing(renditions, 'removeAllOf', failure) })],
  ] as const) {
    it(`succeeds if only the ${what} cannot be removed, and logs a warning`, async () => {
      await renditions.put({ uuid: image.uuid, name: 'small.jpg' }, jpegBytes());

      await new DeleteImage(images, portsOf()).execute(COMMON_SPACE, image.id, { log });

      const left = [await images.count(), blobs.keys.length, renditions.keys.length];
      expect(left).to.deep.equal(what === 'blob' ? [0, 1, 0] : [0, 0, 1]);
      expect(log.warnings.map(({ facts }) => facts)).to.deep.equal([
        { err: failure, imageId: image.id, blobKey: image.uuid },
      ]);
    });
  }
});
