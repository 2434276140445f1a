import { expect } from 'chai';
import { AdmitUpload } from '../../src/application/upload/admit-upload.ts';
import { UploadImage } from '../../src/application/upload/upload-image.ts';
import { UploadImageOnce, type UploadResult } from '../../src/application/upload/upload-image-once.ts';
import { IdempotencyKeyInUse, QuotaExceeded } from '../../src/domain/errors.ts';
import type { Space } from '../../src/domain/space/space.ts';
import { CatalogDoubles } from '../support/doubles/catalog-doubles.ts';
import { FakeImageInspector } from '../support/doubles/fake-image-inspector.ts';
import { failing, intercepted, recorded } from '../support/doubles/intercepted.ts';
import { STAYING } from '../support/doubles/staying.ts';
import { jpegBytes } from '../support/fixtures/bytes.ts';
import { newImage } from '../support/fixtures/new-image.ts';
import { rejection } from '../support/fixtures/rejection.ts';

const CATS = 'cats' as Space;
const DOGS = 'dogs' as Space;

let { clock, keys, images, blobs, uuids, stage } = new CatalogDoubles();

function useCatalog(): void {
  beforeEach(() => {
    ({ clock, keys, images, blobs, uuids, stage } = new CatalogDoubles());
  });
}

async function upload(key: string, { space = CATS, bytes = jpegBytes() } = {}): Promise<UploadResult> {
  const staged = await stage(bytes);
  const uploadImage = new UploadImage(images, blobs, new FakeImageInspector(), uuids);
  const once = new UploadImageOnce(uploadImage, images, keys);
  const requester = { signal: STAYING, subject: 'a' };
  const file = { space, originalName: 'cat.jpg', mediaType: 'image/jpeg', staged, requester } as const;
  return await once.execute(file, { scope: 'alice', key });
}

describe('An upload that would pass a quota', () => {
  useCatalog();

  it('is refused although its blob cannot be removed', async () => {
    await images.spaces.setLimits(CATS, { images: 0 });
    const broken = failing(blobs, 'remove', new Error('The store is unavailable'));
    blobs = broken;

    expect(await rejection(upload('first'))).to.be.instanceOf(QuotaExceeded);
    expect([await images.count(), keys.heldCount]).to.deep.equal([0, 0]);
  });
});

describe('An upload under a key of a full space', () => {
  useCatalog();

  beforeEach(async () => {
    await images.spaces.setLimits(CATS, { images: 1 });
  });

  it('is replayed: no quota is judged', async () => {
    const { image } = await upload('first');

    expect(await upload('first')).to.deep.equal({ image, replayed: true });
  });

  it('is not refused for good if a later one with the key has taken the last room', async () => {
    const plain = blobs;
    let later: UploadResult | undefined;
    blobs = intercepted(blobs, async (method, proceed) => {
      if (method === 'put') {
        blobs = plain;
        clock.advance(10 * 60_000);
        later = await upload('first');
      }
      return await proceed();
    });

    expect(await rejection(upload('first'))).to.be.instanceOf(IdempotencyKeyInUse);

    expect(await upload('first')).to.deep.equal({ image: later?.image, replayed: true });
  });
});

describe('AdmitUpload', () => {
  useCatalog();

  const KEY = { scope: 'alice', key: 'first' };
  let calls: string[];
  let admitUpload: AdmitUpload;

  beforeEach(async () => {
    calls = [];
    admitUpload = new AdmitUpload(recorded(images.spaces, calls), recorded(keys, calls));
    await images.spaces.setLimits(CATS, { bytes: 100 });
    await images.in(CATS).add(newImage({ size: 60 }));
  });

  it('admits as many bytes as are left, and no more', async () => {
    await admitUpload.execute({ space: CATS, minBytes: 40 });

    const refusal = await rejection(admitUpload.execute({ space: CATS, minBytes: 41 }));
    expect(refusal).to.be.instanceOf(QuotaExceeded);
  });

  it('looks for the key only if there is no room', async () => {
    await admitUpload.execute({ space: CATS, minBytes: 1, key: KEY });

    expect(calls).to.deep.equal(['find']);
  });

  it('admits a key that is in use or completed: it may be a replay', async () => {
    const result = await keys.claim({ ...KEY, space: CATS, sha256: '0' });
    await admitUpload.execute({ space: CATS, minBytes: 1000, key: KEY });
    if (result.state === 'claimed') keys.complete(result.claim, 1);

    await admitUpload.execute({ space: CATS, minBytes: 1000, key: KEY });
  });

  it('refuses a key that only another space or scope knows', async () => {
    await keys.claim({ ...KEY, space: DOGS, sha256: '0' });
    await keys.claim({ ...KEY, space: CATS, scope: 'bob', sha256: '0' });

    const refusal = await rejection(admitUpload.execute({ space: CATS, minBytes: 1000, key: KEY }));

    expect(refusal).to.be.instanceOf(QuotaExceeded);
  });
});
