import { expect } from 'chai';
import { OpenImageFile } from '../../src/application/files/open-image-file.ts';
import {
  type ExportedRecords,
  StorageExportSource,
} from '../../src/application/maintenance/export/storage-export-source.ts';
import type { ExportFilter } from '../../src/domain/ports/commands/export-source.ts';
import { COMMON_SPACE, type Space } from '../../src/domain/space/space.ts';
import { CatalogDoubles } from '../support/doubles/catalog-doubles.ts';
import { recorded } from '../support/doubles/intercepted.ts';
import { collectAll } from '../support/fixtures/collect-all.ts';
import { newImage } from '../support/fixtures/new-image.ts';

const ALICE = 'alice' as Space;

/** More than one page. */
const MANY = 120;

describe('StorageExportSource', () => {
  let { clock, images, blobs } = new CatalogDoubles();

  beforeEach(() => {
    ({ clock, images, blobs } = new CatalogDoubles());
  });

  async function add(space: Space, by = 'a client'): Promise<number> {
    clock.advance(1000);
    return (await images.in(space).add(newImage(), undefined, undefined, by)).id;
  }

  /** In turns into the common space and the space of Alice. */
  async function addMany(count = MANY): Promise<readonly number[]> {
    const ids: number[] = [];
    for (let number = 0; number < count; number += 1) {
      ids.push(await add(number % 2 === 0 ? COMMON_SPACE : ALICE));
    }
    return ids;
  }

  async function exported(
    filter: ExportFilter = {},
    space?: Space,
    from: ExportedRecords['images'] = images,
  ): Promise<readonly number[]> {
    const source = new StorageExportSource(
      { images: from, space },
      new OpenImageFile(images, blobs),
      (image) => image,
    );
    return (await collectAll(source.records(filter))).map(({ id }) => id);
  }

  it('lists the images of all spaces by their ids', async () => {
    const ids = await addMany();

    expect(await exported()).to.deep.equal(ids);
  });

  it('lists the images of one space', async () => {
    const ids = await addMany();

    expect(await exported({}, ALICE)).to.deep.equal(ids.filter((_, index) => index % 2 === 1));
    expect(await exported({}, 'bob' as Space)).to.deep.equal([]);
  });

  it('lists images that are later than a time, wherever the time is', async () => {
    const ids = await addMany(20);
    await images.in(COMMON_SPACE).removeById(ids[5] ?? 0);
    const rest = images.all();

    for (const { createdAt } of [{ createdAt: new Date(0) }, ...rest]) {
      for (const time of [createdAt, new Date(createdAt.getTime() - 1)]) {
        const later = rest.filter((image) => image.createdAt > time).map(({ id }) => id);
        expect(await exported({ since: time }), time.toISOString()).to.deep.equal(later);
      }
    }
  });

  it('lists images of one uploader in every space', async () => {
    await addMany(5);
    const ids = [await add(ALICE, 'ann'), await add(COMMON_SPACE, 'ann')];
    await add(ALICE, 'Ann');

    expect(await exported({ createdBy: 'ann' })).to.deep.equal(ids);
    expect(await exported({ createdBy: 'ann' }, ALICE)).to.deep.equal(ids.slice(0, 1));
  });

  it('finds the first image that is later than a time in few reads', async () => {
    await addMany();
    const calls: string[] = [];

    await exported({ since: clock.now() }, undefined, recorded(images, calls));

    expect(calls.filter((call) => call === 'findPage')).to.have.length.below(10);
  });

  it('leaves out images that are deleted while it lists them', async () => {
    const id = await add(ALICE);
    const leaving = {
      findById: images.findById.bind(images),
      findPage: images.findPage.bind(images),
      findMetadata: async (ids: readonly number[]) => {
        await images.in(ALICE).removeById(id);
        return await images.findMetadata(ids);
      },
    };

    expect(await exported({}, undefined, leaving)).to.deep.equal([]);
  });
});
