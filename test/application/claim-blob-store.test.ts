import { expect } from 'chai';
import { ClaimBlobStore } from '../../src/application/maintenance/claim-blob-store.ts';
import { ForeignBlobStore } from '../../src/application/maintenance/foreign-blob-store.ts';
import type { BlobKey } from '../../src/domain/image/blob-key.ts';
import type { BlobStorage } from '../../src/domain/ports/bytes/blob-store.ts';
import { COMMON_SPACE } from '../../src/domain/space/space.ts';
import { CatalogDoubles } from '../support/doubles/catalog-doubles.ts';
import { intercepted } from '../support/doubles/intercepted.ts';
import { newImage } from '../support/fixtures/new-image.ts';
import { rejection } from '../support/fixtures/rejection.ts';

const OTHER = '7c9e6679-7425-40de-944b-e07fc1f90ae7';

let { identity, images, blobs, uuids, put } = new CatalogDoubles();

function useStore(): void {
  beforeEach(() => {
    ({ identity, images, blobs, uuids, put } = new CatalogDoubles());
  });
}

async function claim(dryRun = false, through: BlobStorage = blobs): Promise<void> {
  await new ClaimBlobStore({ identity, images, blobs: through }).execute({ dryRun });
}

async function addBlob(): Promise<BlobKey> {
  const uuid = uuids.next();
  await put(uuid);
  return uuid;
}

async function expectRefusal(owner: string | undefined, dryRun = false): Promise<void> {
  const [before, keys] = [await blobs.owner(), blobs.keys];
  const error = await rejection(claim(dryRun));
  expect(error).to.be.instanceOf(ForeignBlobStore);
  expect(error).to.include({ catalogId: await identity.find(), owner });
  expect([await blobs.owner(), blobs.keys]).to.deep.equal([before, keys]);
}

describe('ClaimBlobStore', () => {
  useStore();

  it('claims an empty store without an owner for a new catalog, and accepts it later with any content', async () => {
    await claim();
    expect(await blobs.owner())
      .to.be.a('string')
      .and.equal(await identity.find());
    await addBlob();

    await claim();
    await claim(true);
  });

  it('claims a store whose note was lost for the catalog with records of its blobs', async () => {
    for (let count = 0; count < 10; count += 1) await addBlob();
    await images.in(COMMON_SPACE).add(newImage({ uuid: await addBlob() }));

    await claim();

    expect(await blobs.owner()).to.equal(await identity.find());
  });

  it('refuses a store without an owner that has blobs if the database is empty', async () => {
    await addBlob();

    await expectRefusal(undefined);
  });

  it('refuses blobs and an owner for a catalog that is not made yet', async () => {
    const claimBlobStore = new ClaimBlobStore({ identity, images, blobs });
    await claimBlobStore.requireFree();
    const uuid = await addBlob();
    expect(await rejection(claimBlobStore.requireFree())).to.be.instanceOf(ForeignBlobStore);
    await blobs.remove(uuid);
    await blobs.claim(OTHER);
    expect(await rejection(claimBlobStore.requireFree())).to.include({ owner: OTHER });
  });

  it('refuses the store of another catalog, even if it is empty', async () => {
    await blobs.claim(OTHER);

    await expectRefusal(OTHER);
  });

  it('refuses a store that another catalog claims at the same time', async () => {
    const raced = intercepted<BlobStorage>(blobs, (method, proceed) =>
      method === 'claim' ? blobs.claim(OTHER).then(proceed) : proceed(),
    );

    expect(await rejection(claim(false, raced))).to.include({ owner: OTHER });
  });

  it('accepts the store if another process of the catalog claims it and puts a first blob there', async () => {
    const id = await identity.establish();
    let looks = 0;
    const startMeanwhile = async (seen: unknown): Promise<unknown> => {
      await blobs.claim(id);
      await addBlob();
      return seen;
    };
    const raced = intercepted<BlobStorage>(blobs, (method, proceed) => {
      if (method === 'owner') looks += 1;
      return method === 'owner' && looks === 1 ? Promise.resolve(proceed()).then(startMeanwhile) : proceed();
    });

    await claim(false, raced);
  });
});

describe('ClaimBlobStore on a dry run', () => {
  useStore();

  it('changes nothing', async () => {
    await images.in(COMMON_SPACE).add(newImage({ uuid: await addBlob() }));

    await claim(true);

    expect([await identity.find(), await blobs.owner()]).to.deep.equal([undefined, undefined]);
  });

  it('refuses the store of another catalog, also if the catalog has no identity yet', async () => {
    await blobs.claim(OTHER);

    await expectRefusal(OTHER, true);
  });
});
