import { expect } from 'chai';
import type { Knex } from 'knex';
import type { ImageRecords } from '../../src/domain/ports/records/image-repository.ts';
import type { SimilarRecords } from '../../src/domain/ports/records/similar-images.ts';
import { COMMON_SPACE, type Space } from '../../src/domain/space/space.ts';
import { AT_ONCE } from '../support/doubles/staying.ts';
import { flipped, imageHashes, SOME_HASH } from '../support/fixtures/image-hashes.ts';
import { newImage } from '../support/fixtures/new-image.ts';
import { sqlPorts } from '../support/fixtures/sql-ports.ts';
import { newSqliteCatalog } from '../support/servers/sqlite-catalog.ts';

/** Of one band, for a distance of 3. */
const BOUND = 3_000;

describe('The bound of a search for similar images', () => {
  let knex: Knex;
  let tearDown: () => Promise<void>;
  let images: ImageRecords;
  let similarImages: SimilarRecords;

  beforeEach(async () => {
    ({ knex, tearDown } = await newSqliteCatalog());
    images = sqlPorts(knex).images;
    similarImages = sqlPorts(knex).similarImages;
  });

  afterEach(async () => {
    await tearDown();
  });

  /** Copies of the hash of an image with other bits in three of its bands, below ids that are not recorded. */
  async function addSharers(id: number, count: number): Promise<void> {
    await knex.raw('pragma foreign_keys = off');
    const row = (await knex('image_appearances').where('image_id', id).first()) as Record<string, number>;
    const { image_id: _, ...columns } = row;
    const names = Object.keys(columns).join(', ');
    const values = Object.keys(columns).map((name) => (name === 'dhash_without_0' ? `${name} + n` : name));
    await knex.raw(
      `with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ?)
      insert into image_appearances (image_id, ${names})
      select 1000000 + n, ${values.join(', ')} from numbers, image_appearances where image_id = ?`,
      [count, id],
    );
  }

  async function add(space: Space, dHash = SOME_HASH): Promise<number> {
    return (
      await images
        .in(space)
        .add(newImage({ sha256: dHash.join('').padStart(64, '0'), hashes: imageHashes({ dHash }) }))
    ).id;
  }

  it('is counted when a search ends at it, which still finds equal hashes', async () => {
    const id = await add(COMMON_SPACE);
    await addSharers(id, BOUND);
    const equal = await add(COMMON_SPACE);

    const found = await similarImages.in(COMMON_SPACE).find(id, { distance: 3, limit: 5 });

    expect(found[0]).to.deep.equal({ id: equal, distance: 0 });
    expect(similarImages.boundedSearches).to.equal(1);
  });

  it('counts what a search for older copies reads although it is newer', async () => {
    const id = await add(COMMON_SPACE);
    const candidates = sqlPorts(knex).copyCandidates.in(COMMON_SPACE);
    const alone = await candidates.findOlder([id], AT_ONCE);
    await addSharers(id, 100);

    const beside = await candidates.findOlder([id], AT_ONCE);

    expect(beside.of.size).to.equal(0);
    expect(beside.looked - alone.looked).to.be.within(100, 1000);
  });

  it('does not end a search of another space', async () => {
    await addSharers(await add(COMMON_SPACE), BOUND);
    const space = 'one' as Space;
    const id = await add(space);
    const near = await add(space, flipped(SOME_HASH, [40]));

    const found = await similarImages.in(space).find(id, { distance: 3, limit: 5 });

    expect(found).to.deep.equal([{ id: near, distance: 1 }]);
    expect(similarImages.boundedSearches).to.equal(0);
  });
});
