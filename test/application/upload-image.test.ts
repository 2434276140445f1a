import { expect } from 'chai';
import type { UploadImage, UploadResult } from '../../src/application/upload/upload-image.ts';
import { uploadImageOf } from '../../src/application/upload/upload-image-of.ts';
import { IdempotencyKeyInUse, QuotaExceeded, StorageUnavailable } from '../../src/domain/errors.ts';
import type { Image } from '../../src/domain/image/image.ts';
import { COMMON_SPACE } from '../../src/domain/space/space.ts';
import { CatalogDoubles } from '../support/doubles/catalog-doubles.ts';
import { FakeImageInspector } from '../support/doubles/fake-image-inspector.ts';
import { failing, intercepted, losingAnswer, recorded } from '../support/doubles/intercepted.ts';
import { STAYING } from '../support/doubles/staying.ts';
import { incomingFile } from '../support/doubles/uploads.ts';
import { rejection } from '../support/fixtures/rejection.ts';

const KEY = { scope: 'alice', key: 'a key' };
const FAILURE = new StorageUnavailable();

let { clock, keys, images, blobs, uuids, stage } = new CatalogDoubles();
let calls: string[];

function useCatalog(): void {
  beforeEach(() => {
    ({ clock, keys, images, blobs, uuids, stage } = new CatalogDoubles());
    calls = [];
  });
}

function uploadingTo(repository: typeof images): UploadImage {
  const inspector = recorded(new FakeImageInspector(), calls);
  const stores = { images: recorded(repository, calls), blobs: recorded(blobs, calls) };
  return uploadImageOf({ ...stores, keys, inspector, uuids });
}

function request() {
  const requester = { signal: STAYING, subject: 'a' };
  return { space: COMMON_SPACE, requester, file: incomingFile(stage) };
}

async function upload(into = images): Promise<Image> {
  return (await uploadingTo(into).execute(request())).image;
}

async function uploadOnce(into = images): Promise<UploadResult> {
  return await uploadingTo(into).execute({ ...request(), key: KEY });
}

describe('UploadImage', () => {
  useCatalog();

  it('inspects before it stores, and stores before it records', async () => {
    await upload();

    expect(calls).to.deep.equal(['inspect', 'put', 'add']);
  });
});

describe('UploadImage when the record cannot be stored', () => {
  useCatalog();

  it('removes the blob', async () => {
    expect(await rejection(upload(failing(images, 'add', FAILURE)))).to.equal(FAILURE);

    expect(blobs.keys).to.deep.equal([]);
  });

  it('keeps the blob if the record was stored although add failed', async () => {
    expect(await rejection(upload(losingAnswer(images, 'add', FAILURE)))).to.equal(FAILURE);

    expect(blobs.keys).to.deep.equal(images.all().map(({ uuid }) => uuid));
  });

  it('keeps the blob for the sweeper if it is unknown whether there is a record', async () => {
    const unsure = failing(failing(images, 'add', FAILURE), 'mayBeRecorded', new Error('still down'));

    expect(await rejection(upload(unsure))).to.equal(FAILURE);
    expect(blobs.keys).to.have.length(1);
  });

  it('keeps the blob for the sweeper if it cannot be removed, and throws the first error', async () => {
    blobs = failing(blobs, 'remove', new Error('still down'));

    expect(await rejection(upload(failing(images, 'add', FAILURE)))).to.equal(FAILURE);
    expect(blobs.keys).to.have.length(1);
  });
});

describe('UploadImage with a key', () => {
  useCatalog();

  it('returns the same image for the same bytes, without inspecting or storing them', async () => {
    const { image } = await uploadOnce();
    calls = [];

    expect(await uploadOnce()).to.deep.equal({ image, replayed: true });
    expect(calls).to.deep.equal(['findById']);
  });

  it('refuses an upload whose key another one holds', async () => {
    await keys.claim({ ...KEY, space: COMMON_SPACE, sha256: '0' });

    expect(await rejection(uploadOnce())).to.be.instanceOf(IdempotencyKeyInUse);
  });

  it('releases the key if the record cannot be stored', async () => {
    expect(await rejection(uploadOnce(failing(images, 'add', FAILURE)))).to.equal(FAILURE);

    expect((await uploadOnce()).replayed).to.equal(false);
  });

  it('throws the first error if the key cannot be released', async () => {
    keys = failing(keys, 'release', new Error('still down'));

    expect(await rejection(uploadOnce(failing(images, 'add', FAILURE)))).to.equal(FAILURE);
  });

  it('releases the key if the sweeper has removed the blob before the record', async () => {
    const late = intercepted(images, async (method, proceed) => {
      const [key] = blobs.keys;
      if (method === 'add' && key !== undefined) await images.removeUnrecorded(key, () => blobs.remove(key));
      return await proceed();
    });
    expect(await rejection(uploadOnce(late))).to.be.instanceOf(StorageUnavailable);
    expect(await images.count()).to.equal(0);

    const { image, replayed } = await uploadOnce();

    expect(replayed).to.equal(false);
    expect(blobs.keys).to.deep.equal([image.uuid]);
  });

  it('replays a recorded upload if its result was lost', async () => {
    expect(await rejection(uploadOnce(losingAnswer(images, 'add', FAILURE)))).to.equal(FAILURE);

    expect((await uploadOnce()).replayed).to.equal(true);
    expect(await images.count()).to.equal(1);
  });
});

describe('UploadImage with a key into a space of one image', () => {
  useCatalog();

  beforeEach(async () => {
    await images.spaces.setLimits(COMMON_SPACE, { images: 1 });
  });

  it('replays an upload: no quota is judged', async () => {
    const { image } = await uploadOnce();

    expect(await uploadOnce()).to.deep.equal({ image, replayed: true });
  });

  it('refuses an upload although its blob cannot be removed', async () => {
    await images.spaces.setLimits(COMMON_SPACE, { images: 0 });
    blobs = failing(blobs, 'remove', new Error('The store is unavailable'));

    expect(await rejection(uploadOnce())).to.be.instanceOf(QuotaExceeded);
    expect([await images.count(), keys.heldCount]).to.deep.equal([0, 0]);
  });

  it('does not refuse one for good if a later one with the key has taken the last room', async () => {
    const plain = blobs;
    let later: UploadResult | undefined;
    blobs = intercepted(blobs, async (method, proceed) => {
      if (method === 'put') {
        blobs = plain;
        clock.advance(10 * 60_000);
        later = await uploadOnce();
      }
      return await proceed();
    });

    expect(await rejection(uploadOnce())).to.be.instanceOf(IdempotencyKeyInUse);

    expect(await uploadOnce()).to.deep.equal({ image: later?.image, replayed: true });
  });
});
