import { expect } from 'chai';
import { UploadImage } from '../../src/application/upload/upload-image.ts';
import { StorageUnavailable } from '../../src/domain/errors.ts';
import type { Image } from '../../src/domain/image/image.ts';
import type { StagedFile } from '../../src/domain/ports/bytes/staging-area.ts';
import { COMMON_SPACE } from '../../src/domain/space/space.ts';
import { FakeImageInspector } from '../support/doubles/fake-image-inspector.ts';
import { InMemoryBlobStore } from '../support/doubles/in-memory-blob-store.ts';
import { InMemoryImageRepository } from '../support/doubles/in-memory-image-repository.ts';
import { InMemoryStagingArea } from '../support/doubles/in-memory-staging-area.ts';
import { failing, losingAnswer, recorded } from '../support/doubles/intercepted.ts';
import { SequentialUuids } from '../support/doubles/sequential-uuids.ts';
import { STAYING } from '../support/doubles/staying.ts';
import { jpegBytes, streamOf } from '../support/fixtures/bytes.ts';
import { imageHashes } from '../support/fixtures/image-hashes.ts';
import { rejection } from '../support/fixtures/rejection.ts';
import { ManualClock } from '../support/time/manual-clock.ts';

const SHOWN_FACTS = { width: 30, height: 20, frames: 1, thumbhash: 'abc=' };
const FACTS = { ...SHOWN_FACTS, hashes: imageHashes() };
const FAILURE = new StorageUnavailable();

let images: InMemoryImageRepository;
let blobs: InMemoryBlobStore;
let staging: InMemoryStagingArea;
let clock: ManualClock;
let calls: string[];
let uploadImage: UploadImage;

function useCatalog(): void {
  beforeEach(() => {
    clock = new ManualClock();
    images = new InMemoryImageRepository(clock);
    blobs = new InMemoryBlobStore();
    staging = new InMemoryStagingArea();
    calls = [];
    uploadImage = uploadTo(recorded(images, calls));
  });
}

function uploadTo(repository: InMemoryImageRepository): UploadImage {
  const inspector = recorded(new FakeImageInspector(FACTS), calls);
  return new UploadImage(repository, recorded(blobs, calls), inspector, new SequentialUuids());
}

async function stage(bytes: Uint8Array): Promise<StagedFile> {
  return await staging.receive(streamOf(bytes), { maxBytes: 10_000, checkHead: () => {} });
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
