import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { UploadImage } from '../../src/application/upload/upload-image.ts';
import { InvalidImage, StorageUnavailable } from '../../src/domain/errors.ts';
import type { Image } from '../../src/domain/image/image.ts';
import type { StagedFile } from '../../src/domain/ports/bytes/staging-area.ts';
import { COMMON_SPACE } from '../../src/domain/space/space.ts';
import { CORRUPT_MARKER, FakeImageInspector } from '../support/doubles/fake-image-inspector.ts';
import { InMemoryBlobStore } from '../support/doubles/in-memory-blob-store.ts';
import { InMemoryImageRepository } from '../support/doubles/in-memory-image-repository.ts';
import { InMemoryStagingArea } from '../support/doubles/in-memory-staging-area.ts';
import { failing, losingAnswer, recorded } from '../support/doubles/intercepted.ts';
import { SequentialUuids } from '../support/doubles/sequential-uuids.ts';
import { STAYING } from '../support/doubles/staying.ts';
import { collect, jpegBytes, streamOf } from '../support/fixtures/bytes.ts';
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

  it('records the facts that the bytes contain', async () => {
    const bytes = jpegBytes();

    const image = await upload(bytes);

    expect(image).to.deep.equal({
      id: 1,
      uuid: '00000000-0000-4000-8000-000000000001',
      originalName: 'cat.jpg',
      mediaType: 'image/jpeg',
      size: bytes.byteLength,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      ...SHOWN_FACTS,
      createdAt: clock.now(),
      title: null,
      tags: [],
      takenAt: null,
      focus: null,
      metadataVersion: 1,
      createdBy: null,
    });
  });

  it('records the hashes', async () => {
    const { id } = await upload(jpegBytes());

    expect([...(await images.findHashes([id]))]).to.deep.equal([[id, imageHashes()]]);
  });

  it('returns the stored record', async () => {
    const image = await upload(jpegBytes());

    expect(await images.in(COMMON_SPACE).findById(image.id)).to.deep.equal(image);
  });

  it('stores the bytes unchanged under the UUID', async () => {
    const image = await upload(jpegBytes());

    const blob = await blobs.open(image.uuid);
    expect(await collect(blob?.read() ?? streamOf(new Uint8Array()))).to.deep.equal(jpegBytes());
  });

  it('makes another image of the same file each time', async () => {
    const [first, second] = [await upload(jpegBytes()), await upload(jpegBytes())];

    expect(second.id).to.be.greaterThan(first.id);
    expect(second.uuid).to.not.equal(first.uuid);
    expect(blobs.keys).to.deep.equal([first.uuid, second.uuid]);
  });

  it('inspects before it stores, and stores before it records', async () => {
    await upload(jpegBytes());

    expect(calls).to.deep.equal(['inspect', 'put', 'add']);
  });

  it('consumes the staged file', async () => {
    await upload(jpegBytes());

    expect(staging.fileCount).to.equal(0);
  });

  it('rejects an image that does not decode, and stores nothing', async () => {
    const error = await rejection(upload(jpegBytes(CORRUPT_MARKER)));

    expect(error).to.be.instanceOf(InvalidImage);
    expect([blobs.keys.length, await images.count()]).to.deep.equal([0, 0]);
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
