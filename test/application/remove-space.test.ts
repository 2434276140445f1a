import { expect } from 'chai';
import { DeleteImage } from '../../src/application/delete-image.ts';
import { type Removals, RemoveSpace } from '../../src/application/maintenance/spaces/remove-space.ts';
import { EraseImage } from '../../src/application/trash/erase-image.ts';
import type { SpaceRecords } from '../../src/domain/ports/records/space-records.ts';
import { COMMON_SPACE, type Space } from '../../src/domain/space/space.ts';
import { CatalogDoubles } from '../support/doubles/catalog-doubles.ts';
import { STAYING } from '../support/doubles/staying.ts';
import { rejection } from '../support/fixtures/rejection.ts';

const ALICE = 'alice' as Space;
const BOB = 'bob' as Space;
/** More than one page. */
const MANY = 101;

let { images, blobs, renditions, log, addImage } = new CatalogDoubles();
let deleteImage: DeleteImage;

function useCatalog(): void {
  beforeEach(() => {
    ({ images, blobs, renditions, log, addImage } = new CatalogDoubles());
    deleteImage = new DeleteImage(images, { blobs, renditions });
  });
}

async function add(space: Space): Promise<number> {
  return (await addImage(undefined, {}, space)).id;
}

function removingSpace(
  removals: Partial<Removals> = {},
  spaces: Pick<SpaceRecords, 'forget'> = images.spaces,
): RemoveSpace {
  const { trash } = images;
  const eraseImage = new EraseImage(trash, { blobs, renditions });
  return new RemoveSpace({ images, spaces, trash }, { deleteImage, eraseImage, ...removals }, log);
}

async function remove(
  space: Space,
  deletion: Pick<DeleteImage, 'execute'> = deleteImage,
  stopped = STAYING,
): Promise<number> {
  const removing = removingSpace({ deleteImage: deletion });
  return await removing.execute(space, { stopped, onProgress: () => {} });
}

describe('RemoveSpace', () => {
  useCatalog();

  it('deletes the images of the space with their blobs, and those of no other space', async () => {
    const kept = await add(COMMON_SPACE);
    for (let number = 0; number < MANY; number += 1) await add(ALICE);

    expect(await remove(ALICE)).to.equal(MANY);

    expect(images.all().map(({ id }) => id)).to.deep.equal([kept]);
    expect(blobs.keys).to.have.length(1);
  });

  it('erases its trash with the blobs, and that of no other space', async () => {
    for (const space of [COMMON_SPACE, ALICE, ALICE]) {
      await images.in(space).removeById(await add(space), undefined, 'trash');
    }
    await add(ALICE);

    expect(await remove(ALICE)).to.equal(3);

    expect(images.trash.all().map(({ space }) => space)).to.deep.equal([COMMON_SPACE]);
    expect(blobs.keys).to.have.length(1);
    expect((await images.spaces.findAll()).map(({ space }) => space)).to.deep.equal([COMMON_SPACE]);
  });
});

describe('RemoveSpace, when it is not alone or does not reach its end,', () => {
  useCatalog();

  it('deletes images that come into the space in the meantime', async () => {
    await add(BOB);
    await add(ALICE);
    const { spaces } = images;
    const late: Pick<SpaceRecords, 'forget'> = {
      forget: async (space) => {
        if (spaces.amountOf(BOB).images > 0) await spaces.rename(BOB, ALICE);
        return await spaces.forget(space);
      },
    };
    const removing = removingSpace({}, late);

    expect(await removing.execute(ALICE, { stopped: STAYING, onProgress: () => {} })).to.equal(2);

    expect(await images.count()).to.equal(0);
  });

  it('does not count images that a client deletes first', async () => {
    await add(ALICE);
    const late: Pick<DeleteImage, 'execute'> = {
      execute: async (space, id, deletion) => {
        await images.in(space).removeById(id);
        await deleteImage.execute(space, id, deletion);
      },
    };

    expect(await remove(ALICE, late)).to.equal(0);
  });

  it('stops between two images if it is asked to', async () => {
    for (let number = 0; number < 20; number += 1) await add(ALICE);
    const stop = new AbortController();
    const stopping: Pick<DeleteImage, 'execute'> = {
      execute: async (...args) => {
        stop.abort();
        await deleteImage.execute(...args);
      },
    };

    expect(await rejection(remove(ALICE, stopping, stop.signal))).to.equal(stop.signal.reason);
    expect(await images.count()).to.be.within(1, 19);
  });
});
