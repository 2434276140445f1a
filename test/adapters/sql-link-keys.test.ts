import { expect } from 'chai';
import { LONGEST_LINK_MS } from '../../src/domain/link/link-expiry.ts';
import { COMMON_SPACE } from '../../src/domain/space/space.ts';
import { newImage } from '../support/fixtures/new-image.ts';
import { sqlPorts } from '../support/fixtures/sql-ports.ts';
import { newSqliteCatalog } from '../support/servers/sqlite-catalog.ts';
import { ManualClock } from '../support/time/manual-clock.ts';

describe('the table of deleted images', () => {
  it('forgets some outdated ones with each deletion', async () => {
    const { knex, tearDown } = await newSqliteCatalog();
    const clock = new ManualClock();
    const images = sqlPorts(knex, { clock }).images;
    const added = [
      await images.in(COMMON_SPACE).add(newImage()),
      await images.in(COMMON_SPACE).add(newImage()),
      await images.in(COMMON_SPACE).add(newImage()),
    ];
    const [first, second, third] = added.map(({ id }) => id);

    for (const id of [first, second]) await images.in(COMMON_SPACE).removeById(id ?? 0);
    clock.advance(LONGEST_LINK_MS);
    await images.in(COMMON_SPACE).removeById(third ?? 0);

    expect(await knex('deleted_images').pluck('id')).to.deep.equal([third]);
    await tearDown();
  });
});
