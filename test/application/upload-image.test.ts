import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { UploadImage } from '../../src/application/upload-image.ts';
import {
  type CatalogError,
  DigestMismatch,
  FileRequired,
  InvalidImage,
  StorageUnavailable,
  UnsupportedMediaType,
} from '../../src/domain/errors.ts';
import type { Image } from '../../src/domain/image/image.ts';
import type { StagedFile } from '../../src/domain/ports/staging-area.ts';
import { collect, jpegBytes, pngBytes, streamOf } from '../support/bytes.ts';
import { CORRUPT_MARKER, FakeImageInspector } from '../support/fake-image-inspector.ts';
import { InMemoryBlobStore } from '../support/in-memory-blob-store.ts';
import { InMemoryImageRepository } from '../support/in-memory-image-repository.ts';
import { InMemoryStagingArea } from '../support/in-memory-staging-area.ts';
import { failing, losingAnswer, recorded } from '../support/intercepted.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { rejection } from '../support/rejection.ts';
import { SequentialUuids } from '../support/sequential-uuids.ts';
import { STAYING } from '../support/staying.ts';

const FACTS = { width: 30, height: 20, thumbhash: 'abc=' };
const FAILURE = new StorageUnavailable();

describe('UploadImage', () => {
  let images: InMemoryImageRepository;
  let blobs: InMemoryBlobStore;
  let staging: InMemoryStagingArea;
  let clock: ManualClock;
  let calls: string[];
  let uploadImage: UploadImage;

  beforeEach(() => {
    clock = new ManualClock();
    images = new InMemoryImageRepository(clock);
    blobs = new InMemoryBlobStore();
    staging = new InMemoryStagingArea();
    calls = [];
    uploadImage = uploadTo(recorded(images, calls));
  });

  function uploadTo(repository: InMemoryImageRepository): UploadImage {
    const inspector = recorded(new FakeImageInspector(FACTS), calls);
    return new UploadImage(repository, recorded(blobs, calls), inspector, new SequentialUuids());
  }

  async function stage(bytes: Uint8Array): Promise<StagedFile> {
    return await staging.receive(streamOf(bytes), { maxBytes: 10_000, checkHead: () => {} });
  }

  async function upload(bytes: Uint8Array, through = uploadImage): Promise<Image> {
    return await through.execute({ originalName: 'cat.jpg', staged: await stage(bytes), leaving: STAYING });
  }

  it('records what the bytes say about themselves', async () => {
    const bytes = jpegBytes();

    const image = await upload(bytes);

    expect(image).to.deep.equal({
      id: 1,
      uuid: '00000000-0000-4000-8000-000000000001',
      originalName: 'cat.jpg',
      mediaType: 'image/jpeg',
      size: bytes.byteLength,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      ...FACTS,
      createdAt: clock.now(),
    });
  });

  it('resolves to the record that can be found from then on', async () => {
    const image = await upload(jpegBytes());

    expect(await images.findById(image.id)).to.deep.equal(image);
  });

  it('takes the media type from the bytes, whatever the name says', async () => {
    expect(await upload(pngBytes())).to.include({ mediaType: 'image/png', originalName: 'cat.jpg' });
  });

  it('stores the bytes as they were sent, under the UUID', async () => {
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

    expect(calls).to.deep.equal(['inspect', 'put', 'add', 'find']);
  });

  it('uses the staged file up', async () => {
    await upload(jpegBytes());

    expect(staging.fileCount).to.equal(0);
  });

  it('takes a file whose digest is the expected one', async () => {
    const staged = await stage(jpegBytes());

    const image = await uploadImage.execute({
      originalName: 'a',
      staged,
      expectedSha256: staged.sha256,
      leaving: STAYING,
    });

    expect(image.sha256).to.equal(staged.sha256);
  });

  describe('refuses', () => {
    type Leaf = abstract new (...args: never[]) => CatalogError;
    const REFUSALS: ReadonlyArray<readonly [string, Uint8Array, string | undefined, Leaf]> = [
      ['an empty file', new Uint8Array(), undefined, FileRequired],
      ['an empty file whose digest differs', new Uint8Array(), '0'.repeat(64), FileRequired],
      ['a file whose digest differs', jpegBytes(), '0'.repeat(64), DigestMismatch],
      ['a file that is no image', new TextEncoder().encode('plain text'), undefined, UnsupportedMediaType],
      ['a file that is shorter than a signature', Uint8Array.of(0xff), undefined, UnsupportedMediaType],
      ['an image that does not decode', jpegBytes(CORRUPT_MARKER), undefined, InvalidImage],
    ];
    for (const [what, bytes, expectedSha256, leaf] of REFUSALS) {
      it(`${what} and keeps nothing of it`, async () => {
        const staged = await stage(bytes);

        const error = await rejection(
          uploadImage.execute({ originalName: 'a', staged, expectedSha256, leaving: STAYING }),
        );

        expect(error).to.be.instanceOf(leaf);
        expect([staging.fileCount, blobs.keys.length, await images.count({})]).to.deep.equal([0, 0, 0]);
      });
    }

    it('a file that is no image without decoding it', async () => {
      await rejection(upload(new TextEncoder().encode('plain text')));

      expect(calls).to.deep.equal([]);
    });
  });

  describe('when the record cannot be stored', () => {
    it('removes the blob', async () => {
      const error = await rejection(upload(jpegBytes(), uploadTo(failing(images, 'add', FAILURE))));

      expect(error).to.equal(FAILURE);
      expect(blobs.keys).to.deep.equal([]);
    });

    it('keeps the blob where the record was stored after all', async () => {
      const error = await rejection(upload(jpegBytes(), uploadTo(losingAnswer(images, 'add', FAILURE))));

      expect(error).to.equal(FAILURE);
      const [image] = await images.findPage({ filter: {}, order: 'asc', limit: 10 });
      expect(blobs.keys).to.deep.equal([image?.uuid]);
    });

    it('keeps the blob for the sweeper where nobody can say whether there is a record', async () => {
      const unsure = failing(failing(images, 'add', FAILURE), 'mayBeRecorded', new Error('still down'));

      const error = await rejection(upload(jpegBytes(), uploadTo(unsure)));

      expect(error).to.equal(FAILURE);
      expect(blobs.keys).to.have.length(1);
    });
  });
});
