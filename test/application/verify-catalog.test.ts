import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { NodeHasher } from '../../src/adapters/system/node-hasher.ts';
import {
  type Finding,
  type VerifiedStorage,
  VerifyCatalog,
} from '../../src/application/maintenance/verify-catalog.ts';
import { ImageBeyondLimits, Overloaded, StorageUnavailable } from '../../src/domain/errors.ts';
import type { Image, NewImage } from '../../src/domain/image/image.ts';
import type { Name } from '../../src/domain/name/name.ts';
import type { BlobStorage } from '../../src/domain/ports/bytes/blob-store.ts';
import type { ImageInspector } from '../../src/domain/ports/pictures/image-inspector.ts';
import type { ImageRecords } from '../../src/domain/ports/records/image-repository.ts';
import { COMMON_SPACE, type Space } from '../../src/domain/space/space.ts';
import { CatalogDoubles } from '../support/doubles/catalog-doubles.ts';
import { CORRUPT_MARKER, FakeImageInspector } from '../support/doubles/fake-image-inspector.ts';
import { failing, intercepted } from '../support/doubles/intercepted.ts';
import { EIO, UNREADABLE, withUnreadable } from '../support/doubles/unreadable-blob.ts';
import { jpegBytes } from '../support/fixtures/bytes.ts';
import { newImage } from '../support/fixtures/new-image.ts';
import { rejection } from '../support/fixtures/rejection.ts';

const GRACE_MS = 60_000;
const ORPHAN = 'ffffffff-3c1b-4a53-9f0a-6d2f8c7b1e42';

let { clock, images, blobs, put, addImage } = new CatalogDoubles();
let verifyCatalog: VerifyCatalog;

function useCatalog(): void {
  beforeEach(() => {
    ({ clock, images, blobs, put, addImage } = new CatalogDoubles());
    verifyCatalog = verifying();
  });

  afterEach(() => {
    expect(blobs.openCount, 'opened blobs').to.equal(0);
  });
}

function verifying(
  ports: Partial<VerifiedStorage> = {},
  inspector: ImageInspector = new FakeImageInspector(),
): VerifyCatalog {
  const { trash, spaces, names } = images;
  const storage = { images, trash, spaces, names, blobs, ...ports };
  return new VerifyCatalog(storage, inspector, new NodeHasher(), clock);
}

/** Adds an image with its blob; `stated` makes the record differ from the blob. */
async function add(bytes = jpegBytes(), stated: Partial<NewImage> = {}): Promise<Image> {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return await addImage(bytes, { sha256, ...stated });
}

async function findings(by = verifyCatalog): Promise<readonly Finding[]> {
  const found: Finding[] = [];
  for await (const { finding } of by.records({ isChosen: () => true })) {
    if (finding !== undefined) found.push(finding);
  }
  return found;
}

async function orphans(by = verifyCatalog): Promise<readonly unknown[]> {
  const found: unknown[] = [];
  for await (const { problem, blobKey } of by.orphans(GRACE_MS)) {
    expect(problem).to.equal('orphaned');
    found.push(blobKey);
  }
  return found;
}

describe('VerifyCatalog', () => {
  useCatalog();

  it('reports nothing for an image whose blob matches its record', async () => {
    await add();
    clock.advance(GRACE_MS);

    expect(await findings()).to.deep.equal([]);
    expect(await orphans()).to.deep.equal([]);
  });

  const DAMAGE: ReadonlyArray<readonly [string, Uint8Array, Partial<NewImage>]> = [
    ['another size', jpegBytes(), { size: 1 }],
    ['another SHA-256', jpegBytes(), { sha256: '0'.repeat(64) }],
    ['no picture', jpegBytes(CORRUPT_MARKER), {}],
  ];
  for (const [what, bytes, stated] of DAMAGE) {
    it(`reports an image as damaged if its blob has ${what}`, async () => {
      const { id, uuid } = await add(bytes, stated);

      const [finding, ...others] = await findings();

      expect(others).to.deep.equal([]);
      expect(finding).to.include({ problem: 'damaged', imageId: id, blobKey: uuid });
      expect(finding?.detail).to.not.equal('');
    });
  }

  it('reports an image without a blob as missing', async () => {
    const { id, uuid } = await add();
    await blobs.remove(uuid);

    expect((await findings()).map(({ problem, imageId }) => [problem, imageId])).to.deep.equal([
      ['missing', id],
    ]);
  });

  for (const [how, when, error] of UNREADABLE) {
    it(`reports a blob as damaged that cannot be read ${how}, and continues`, async () => {
      const { id, uuid } = await add();
      const other = await add(jpegBytes(), { size: 1 });

      const found = await findings(verifying({ blobs: withUnreadable(blobs, uuid, { when, error }) }));

      expect(found.map(({ imageId }) => imageId)).to.deep.equal([id, other.id]);
      expect(found[0]).to.include({ problem: 'damaged', detail: `the blob cannot be read: ${EIO.message}` });
    });

    it(`rejects if the store is unavailable when a blob cannot be read ${how}`, async () => {
      const { uuid } = await add();
      const failure = new StorageUnavailable();
      const away = failing<BlobStorage>(blobs, 'ping', failure);

      const ending = findings(verifying({ blobs: withUnreadable(away, uuid, { when, error }) }));

      expect(await rejection(ending)).to.equal(failure);
    });
  }

  it('reports an image as damaged that cannot be inspected, and continues', async () => {
    const { id } = await add();
    const inspector = failing<ImageInspector>(new FakeImageInspector(), 'inspect', new StorageUnavailable());
    const again = failing(inspector, 'inspect', new StorageUnavailable(), 2);
    expect((await findings(verifying({}, again))).map(({ imageId }) => imageId)).to.deep.equal([id]);
  });

  for (const error of [
    new ImageBeyondLimits('image/jpeg', 'has more than 100 scans'),
    new Overloaded('decoder_wait'),
  ]) {
    it(`relies on the digest of an image that is not decoded: ${error.name}`, async () => {
      await add();
      const inspector = failing<ImageInspector>(new FakeImageInspector(), 'inspect', error);

      expect(await findings(verifying({}, inspector))).to.deep.equal([]);
    });
  }

  it('reads images as stored pictures, so that rules for uploads do not apply to them', async () => {
    const inspector = new FakeImageInspector();
    await add();

    expect(await findings(verifying({}, inspector))).to.deep.equal([]);
    expect(inspector.requesters.map(({ isStored }) => isStored)).to.deep.equal([true]);
  });
});

describe('VerifyCatalog over many records', () => {
  useCatalog();

  it('reports nothing for an image that is deleted during its check', async () => {
    const { id, uuid } = await add();
    const deleting = intercepted<BlobStorage>(blobs, async (method, proceed) => {
      if (method === 'open') await Promise.all([images.in(COMMON_SPACE).removeById(id), blobs.remove(uuid)]);
      return await proceed();
    });

    expect(await findings(verifying({ blobs: deleting }))).to.deep.equal([]);
  });

  it('visits every record of many in the order of the ids', async () => {
    for (let count = 0; count < 1001; count += 1) await images.in(COMMON_SPACE).add(newImage());

    const visited: number[] = [];
    for await (const { imageId } of verifyCatalog.records({ isChosen: () => false })) visited.push(imageId);

    expect(visited).to.deep.equal(Array.from({ length: 1001 }, (_, index) => index + 1));
  });

  it('continues after the last record of an earlier run', async () => {
    for (let count = 0; count < 5; count += 1) await images.in(COMMON_SPACE).add(newImage());

    const visited: number[] = [];
    for await (const { imageId } of verifyCatalog.records({ after: 3, isChosen: () => true })) {
      visited.push(imageId);
    }

    expect(visited).to.deep.equal([4, 5]);
  });

  it('stops before it checks more records', async () => {
    for (let count = 0; count < 30; count += 1) await add();
    const stop = new AbortController();
    const visited: number[] = [];
    const verifyingOn = async (): Promise<void> => {
      const { signal: stopped } = stop;
      for await (const { imageId } of verifyCatalog.records({ isChosen: () => true, stopped })) {
        visited.push(imageId);
        stop.abort();
      }
    };

    expect(await rejection(verifyingOn())).to.equal(stop.signal.reason);
    expect(visited).to.have.length(8);
  });

  it('stops while it searches for blobs without a record', async () => {
    await add();
    clock.advance(GRACE_MS);
    const stopped = AbortSignal.abort();

    expect(await rejection(verifyCatalog.orphans(GRACE_MS, stopped).next())).to.equal(stopped.reason);
  });

  it('opens no blob of a record that is not chosen', async () => {
    await add(jpegBytes(), { size: 1 });
    await add(jpegBytes(), { size: 1 });
    const choices = [false, true].values();

    const found: Array<Finding | undefined> = [];
    for await (const { finding } of verifyCatalog.records({
      isChosen: () => choices.next().value === true,
    })) {
      found.push(finding);
    }

    expect(found.map((finding) => finding?.problem)).to.deep.equal([undefined, 'damaged']);
  });
});

describe('VerifyCatalog reports a blob without a record as orphaned', () => {
  useCatalog();

  it('but not if it is younger, because its upload may not have ended', async () => {
    await put(ORPHAN, jpegBytes());
    clock.advance(GRACE_MS - 1);

    expect(await orphans()).to.deep.equal([]);
  });

  it('but not if its image was deleted after the blob was listed', async () => {
    const { id, uuid } = await add();
    clock.advance(GRACE_MS);
    const deleting = intercepted<ImageRecords>(images, async (method, proceed) => {
      if (method === 'findUuidsAmong') {
        await Promise.all([images.in(COMMON_SPACE).removeById(id), blobs.remove(uuid)]);
      }
      return await proceed();
    });

    expect(await orphans(verifying({ images: deleting }))).to.deep.equal([]);
  });
});

describe('VerifyCatalog over the trash', () => {
  useCatalog();

  it('reads the bytes of the trash, in the order of the ids', async () => {
    const [first, second, third] = [await add(), await add(), await add()];
    await images.in(COMMON_SPACE).removeById(second.id, undefined, 'trash');
    for (const { uuid } of [first, second, third]) await blobs.remove(uuid);

    expect((await findings()).map(({ imageId }) => imageId)).to.deep.equal([first.id, second.id, third.id]);
    clock.advance(GRACE_MS);
    expect(await orphans()).to.deep.equal([]);
  });
});

describe('VerifyCatalog over spaces and names', () => {
  useCatalog();

  it('reports each space whose counters are wrong', async () => {
    const space = 'alice' as Space;
    const counted = { images: 3, bytes: 700 };
    const wrong = { space, of: 'images' as const, counted, recorded: { images: 4, bytes: 900 } };
    const repaired: Space[] = [];
    const spaces = {
      recount: async () => [wrong, { ...wrong, of: 'trash' as const }],
      repair: async (name: Space) => {
        repaired.push(name);
        return [wrong];
      },
    };

    const finding = {
      problem: 'miscounted',
      space,
      detail: 'the space has 3 images with 700 bytes, its counters say 4 images with 900 bytes',
    };
    expect((await verifying({ spaces }).miscounted())[0]).to.deep.equal(finding);
    expect(repaired).to.deep.equal([]);
    expect(await verifying({ spaces }).repairCounters()).to.deep.equal([finding]);
    expect(repaired).to.deep.equal([space]);
  });

  it('reports names that point to no image of their space', async () => {
    const { id } = await add();
    const name = 'hero' as Name;
    await images.names.in(COMMON_SPACE).set(name, id, {});
    expect(await verifyCatalog.dangling()).to.deep.equal([]);

    images.names.mispoint(name, 77);
    const finding = { problem: 'dangling', space: COMMON_SPACE, name, imageId: 77 };
    expect(await verifyCatalog.dangling()).to.deep.equal([{ ...finding, detail: 'the image is not there' }]);
  });
});
