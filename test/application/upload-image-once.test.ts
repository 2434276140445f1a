import { expect } from 'chai';
import { UploadImage } from '../../src/application/upload/upload-image.ts';
import { UploadImageOnce, type UploadResult } from '../../src/application/upload/upload-image-once.ts';
import { IdempotencyKeyInUse, InvalidImage, StorageUnavailable } from '../../src/domain/errors.ts';
import { COMMON_SPACE } from '../../src/domain/space/space.ts';
import { CatalogDoubles } from '../support/doubles/catalog-doubles.ts';
import { CORRUPT_MARKER, FakeImageInspector } from '../support/doubles/fake-image-inspector.ts';
import { failing, intercepted, losingAnswer, recorded } from '../support/doubles/intercepted.ts';
import { STAYING } from '../support/doubles/staying.ts';
import { jpegBytes } from '../support/fixtures/bytes.ts';
import { rejection } from '../support/fixtures/rejection.ts';

const KEY = { scope: 'alice', key: 'a key' };

let { keys, images, blobs, uuids, stage } = new CatalogDoubles();
let calls: string[];

function useCatalog(): void {
  beforeEach(() => {
    ({ keys, images, blobs, uuids, stage } = new CatalogDoubles());
    calls = [];
  });
}

async function upload(
  bytes = jpegBytes(),
  { key = KEY, into = images }: UploadOptions = {},
): Promise<UploadResult> {
  const [store, inspector] = [recorded(blobs, calls), recorded(new FakeImageInspector(), calls)];
  const uploadImage = new UploadImage(into, store, inspector, uuids);
  const staged = await stage(bytes);
  const once = new UploadImageOnce(uploadImage, into, keys);
  return await once.execute(
    {
      space: COMMON_SPACE,
      originalName: 'cat.jpg',
      mediaType: 'image/jpeg',
      staged,
      requester: { signal: STAYING, subject: 'a' },
    },
    key,
  );
}

interface UploadOptions {
  readonly key?: typeof KEY;
  readonly into?: typeof images;
}

describe('UploadImageOnce', () => {
  useCatalog();

  it('returns the same image for the same bytes, without inspecting or storing them', async () => {
    const { image } = await upload();
    calls = [];

    expect(await upload()).to.deep.equal({ image, replayed: true });
    expect(calls).to.deep.equal([]);
    expect(await images.count()).to.equal(1);
  });

  it('makes one image of many concurrent uploads', async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => upload()));

    const refusals = outcomes.flatMap((outcome): unknown[] =>
      outcome.status === 'rejected' ? [outcome.reason] : [],
    );
    for (const refusal of refusals) expect(refusal).to.be.instanceOf(IdempotencyKeyInUse);
    expect(await images.count()).to.equal(1);
  });
});

describe('UploadImageOnce after a failure', () => {
  useCatalog();

  describe('releases the key', () => {
    it('if the record cannot be stored', async () => {
      const failure = new StorageUnavailable();
      const broken = failing(images, 'add', failure);
      expect(await rejection(upload(jpegBytes(), { into: broken }))).to.equal(failure);

      expect((await upload()).replayed).to.equal(false);
    });

    it('if the sweeper has removed the blob before the record', async () => {
      const late = intercepted(images, async (method, proceed) => {
        const [key] = blobs.keys;
        if (method === 'add' && key !== undefined) {
          await images.removeUnrecorded(key, () => blobs.remove(key));
        }
        return await proceed();
      });
      expect(await rejection(upload(jpegBytes(), { into: late }))).to.be.instanceOf(StorageUnavailable);
      expect(await images.count()).to.equal(0);

      const { image, replayed } = await upload();

      expect(replayed).to.equal(false);
      expect(blobs.keys).to.deep.equal([image.uuid]);
    });
  });

  it('throws the first error if the key cannot be released', async () => {
    keys = failing(keys, 'release', new StorageUnavailable());

    expect(await rejection(upload(jpegBytes(CORRUPT_MARKER)))).to.be.instanceOf(InvalidImage);
  });

  it('replays a recorded upload if its result was lost', async () => {
    const failure = new StorageUnavailable();
    const broken = losingAnswer(images, 'add', failure);
    expect(await rejection(upload(jpegBytes(), { into: broken }))).to.equal(failure);

    expect((await upload()).replayed).to.equal(true);
    expect(await images.count()).to.equal(1);
  });
});
