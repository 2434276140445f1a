import { expect } from 'chai';
import { UploadImage } from '../../src/application/upload/upload-image.ts';
import { StorageUnavailable } from '../../src/domain/errors.ts';
import type { Image } from '../../src/domain/image/image.ts';
import { COMMON_SPACE } from '../../src/domain/space/space.ts';
import { CatalogDoubles } from '../support/doubles/catalog-doubles.ts';
import { FakeImageInspector } from '../support/doubles/fake-image-inspector.ts';
import { failing, losingAnswer, recorded } from '../support/doubles/intercepted.ts';
import { STAYING } from '../support/doubles/staying.ts';
import { jpegBytes } from '../support/fixtures/bytes.ts';
import { imageHashes } from '../support/fixtures/image-hashes.ts';
import { rejection } from '../support/fixtures/rejection.ts';

const SHOWN_FACTS = { width: 30, height: 20, frames: 1, thumbhash: 'abc=' };
const FACTS = { ...SHOWN_FACTS, hashes: imageHashes() };
const FAILURE = new StorageUnavailable();

let { images, blobs, uuids, stage } = new CatalogDoubles();
let calls: string[];
let uploadImage: UploadImage;

function useCatalog(): void {
  beforeEach(() => {
    ({ images, blobs, uuids, stage } = new CatalogDoubles());
    calls = [];
    uploadImage = uploadTo(recorded(images, calls));
  });
}

function uploadTo(repository: typeof images): UploadImage {
  const inspector = recorded(new FakeImageInspector(FACTS), calls);
  return new UploadImage(repository, recorded(blobs, calls), inspector, uuids);
}

async function upload(bytes: Uint8Array, through = uploadImage): Promise<Image> {
  const { image } = await through.execute({
    space: COMMON_SPACE,
    originalName: 'cat.jpg',
    mediaType: 'image/jpeg',
    staged: await stage(bytes),
    requester: { signal: STAYING, subject: 'a' },
  });
  return image;
}

describe('UploadImage', () => {
  useCatalog();

  it('inspects before it stores, and stores before it records', async () => {
    await upload(jpegBytes());

    expect(calls).to.deep.equal(['inspect', 'put', 'add']);
  });
});

describe('UploadImage when the record cannot be stored', () => {
  useCatalog();

  it('removes the blob', async () => {
    const error = await rejection(upload(jpegBytes(), uploadTo(failing(images, 'add', FAILURE))));

    expect(error).to.equal(FAILURE);
    expect(blobs.keys).to.deep.equal([]);
  });

  it('keeps the blob if the record was stored although add failed', async () => {
    const error = await rejection(upload(jpegBytes(), uploadTo(losingAnswer(images, 'add', FAILURE))));

    expect(error).to.equal(FAILURE);
    const [image] = await images.findPage({ order: 'asc', limit: 10 });
    expect(blobs.keys).to.deep.equal([image?.uuid]);
  });

  it('keeps the blob for the sweeper if it is unknown whether there is a record', async () => {
    const unsure = failing(failing(images, 'add', FAILURE), 'mayBeRecorded', new Error('still down'));

    const error = await rejection(upload(jpegBytes(), uploadTo(unsure)));

    expect(error).to.equal(FAILURE);
    expect(blobs.keys).to.have.length(1);
  });

  it('keeps the blob for the sweeper if it cannot be removed, and throws the first error', async () => {
    blobs = failing(blobs, 'remove', new Error('still down'));

    const error = await rejection(upload(jpegBytes(), uploadTo(failing(images, 'add', FAILURE))));

    expect(error).to.equal(FAILURE);
    expect(blobs.keys).to.have.length(1);
  });
});
