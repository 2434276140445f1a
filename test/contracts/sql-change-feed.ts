import { expect } from 'chai';
import type { Knex } from 'knex';
import { SqlChangeFeed } from '../../src/adapters/sql/changes/sql-change-feed.ts';
import { dialectOf } from '../../src/adapters/sql/database/dialect-of.ts';
import { POSTGRES_DIALECT } from '../../src/adapters/sql/postgres/postgres-dialect.ts';
import { ObjectionImageRepository } from '../../src/adapters/sql/records/objection-image-repository.ts';
import { SqlMetadataStore } from '../../src/adapters/sql/search/sql-metadata-store.ts';
import { Calendar } from '../../src/domain/image/time/calendar.ts';
import type { Space } from '../../src/domain/space/space.ts';
import { newImage } from '../support/fixtures/new-image.ts';
import { ManualClock } from '../support/time/manual-clock.ts';
import type { ChangeFeedUnderTest } from './change-feed.contract.ts';

const SPACE = 'alpha' as Space;
const UTC = new Calendar('UTC');

/** The ports of the contract on one database, which several processes have opened. */
export function sqlChangeFeed(knex: Knex, others: readonly Knex[]): Omit<ChangeFeedUnderTest, 'tearDown'> {
  const clock = new ManualClock();
  return {
    changes: new SqlChangeFeed(knex),
    images: [
      new ObjectionImageRepository(knex, clock),
      ...others.map((other) => new ObjectionImageRepository(other, clock)),
    ],
    metadata: new SqlMetadataStore(knex, clock, UTC),
    clock,
  };
}

/** Statements that know nothing of the feed. */
export function joinsAllStatements(open: () => Promise<{ knex: Knex; tearDown: () => Promise<void> }>): void {
  it('has what any statement writes, with the space of the image and the time of the database', async () => {
    const { knex, tearDown } = await open();
    const clock = new ManualClock(new Date('2001-01-01T00:00:00Z'));
    const { id } = await new ObjectionImageRepository(knex, clock).in(SPACE).add(newImage());
    await knex('image_metadata').update({ title: 'cat', version: 2 }).where({ image_id: id });
    await knex('image_metadata').update({ title: 'cat' }).where({ image_id: id });
    await knex('images').delete().where({ id });
    const { changes = [] } = (await new SqlChangeFeed(knex).readPage(undefined, 10)) ?? {};
    const age = Date.now() - (changes[2]?.at.getTime() ?? 0);
    await tearDown();

    const found = changes.map(({ type, imageId, version, by, space }) => [type, imageId, version, by, space]);
    expect(found).to.deep.equal([
      ['image.created', id, undefined, null, SPACE],
      ['image.updated', id, 2, null, SPACE],
      ['image.deleted', id, undefined, null, SPACE],
    ]);
    expect(Math.abs(age)).to.be.below(60_000);
    expect(new Set(changes.map(({ position }) => position.mark)).size).to.equal(3);
  });
}

/** What a page costs does not depend on the changes of other spaces. */
export function readsBesideBusySpaces(
  open: () => Promise<{ knex: Knex; tearDown: () => Promise<void> }>,
): void {
  it('reads a page of a space through its index, also if another space has nearly all changes', async () => {
    const { knex, tearDown } = await open();
    const dialect = dialectOf(knex);
    await knex('spaces').insert(['busy', 'quiet'].map((name) => ({ name })));
    await knex.raw(
      `with recursive numbers (number) as (select 1 union all select number + 1 from numbers where number < 20000)
      insert into changes (number, kind, image_id, space)
      select number, 1, number, (select id from spaces where name = 'busy') from numbers`,
    );
    const statements: string[] = [];
    knex.on('query', ({ sql }: { readonly sql: string }) => statements.push(sql));
    await new SqlChangeFeed(knex).in('quiet' as Space).readPage({ number: 3, mark: 1 }, 100);
    const isPostgres = dialect === POSTGRES_DIALECT;
    // The service keeps no statistics on SQLite.
    if (isPostgres) await knex.raw('analyze changes');
    const explain = isPostgres ? 'explain' : 'explain query plan';
    const plan = await knex.raw(`${explain} ${statements[0]?.replace(/\$\d/g, '?')}`, [3, 'quiet', 3, 101]);
    await tearDown();

    const text = JSON.stringify(plan);
    expect(text).to.contain('changes_space_index');
    expect(text).to.match(/space=\? AND number>\?|space = ANY \(.*?\) AND \(number > /);
    // Those of the whole page alone.
    expect(text.match(/TEMP B-TREE|Sort Key/g)).to.have.length(isPostgres ? 1 : 3);
  });
}
