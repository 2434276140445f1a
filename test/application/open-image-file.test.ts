import { expect } from 'chai';
import { OpenImageFile } from '../../src/application/files/open-image-file.ts';
import { BlobLost, ImageNotFound } from '../../src/domain/errors.ts';
import type { Image } from '../../src/domain/image/image.ts';
import { COMMON_SPACE } from '../../src/domain/space/space.ts';
import { CatalogDoubles } from '../support/doubles/catalog-doubles.ts';
import { recorded } from '../support/doubles/intercepted.ts';
import { jpegBytes } from '../support/fixtures/bytes.ts';
import { rejection } from '../support/fixtures/rejection.ts';

const BYTES = jpegBytes('0123456789');

describe('OpenImageFile', () => {
  let { images, blobs, addImage } = new CatalogDoubles();
  let calls: string[];
  let openImageFile: OpenImageFile;
  let image: Image;

  beforeEach(async () => {
    ({ images, blobs, addImage } = new CatalogDoubles());
    calls = [];
    openImageFile = new OpenImageFile(recorded(images, calls), blobs);
    image = await addImage(BYTES);
  });

  it('does not query the database if the bytes exist', async () => {
    await (await openImageFile.execute(image)).close();

    expect(calls).to.deep.equal([]);
  });

  it('rejects with ImageNotFound if the image was deleted after it was read', async () => {
    await images.in(COMMON_SPACE).removeById(image.id);
    await blobs.remove(image.uuid);

    expect(await rejection(openImageFile.execute(image))).to.be.instanceOf(ImageNotFound);
  });

  it('rejects with the id of an image with bytes of another size, and closes the blob', async () => {
    const longer = { ...image, size: BYTES.byteLength + 1 };

    const error = await rejection(openImageFile.execute(longer));

    expect(error).to.be.instanceOf(BlobLost).and.include({ imageId: image.id, blobKey: image.uuid });
    expect(blobs.openCount).to.equal(0);
  });
});
