import { expect } from 'chai';
import type { Knex } from 'knex';
import { dialectOf } from '../../src/adapters/sql/database/dialect-of.ts';
import { POSTGRES_DIALECT } from '../../src/adapters/sql/postgres/postgres-dialect.ts';
import type { Space } from '../../src/domain/space/space.ts';
import { sqlPorts } from '../support/fixtures/sql-ports.ts';

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
    await sqlPorts(knex)
      .changes.in('quiet' as Space)
      .readPage({ number: 3, mark: 1 }, 100);
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
