import { expect } from 'chai';
import type { Knex } from 'knex';
import { COMMON_SPACE } from '../../src/domain/space/space.ts';
import { newImage } from '../support/fixtures/new-image.ts';
import { type SqlPorts, sqlPorts } from '../support/fixtures/sql-ports.ts';
import { newSqliteCatalog, type SqliteCatalog } from '../support/servers/sqlite-catalog.ts';

const IMAGES = 20;
const LONGEST = 5_000;
/** Of one turn of the event loop: splitting the longest text into words takes up to 10 ms. */
const MAX_OF_A_TURN = 4;

describe('Texts that one transaction writes to many images', () => {
  let catalog: SqliteCatalog;
  let ports: SqlPorts;
  let ids: readonly number[];

  beforeEach(async () => {
    catalog = await newSqliteCatalog();
    ports = sqlPorts(catalog.knex);
    const images = ports.images.in(COMMON_SPACE);
    ids = await Promise.all(Array.from({ length: IMAGES }, async () => (await images.add(newImage())).id));
  });

  afterEach(() => catalog.tearDown());

  it('are split into words a few images at a time if they are long', async () => {
    const rows = rowsOfStatements(catalog.knex);

    await edit('b'.repeat(LONGEST));

    expect(sumOf(rows)).to.equal(IMAGES);
    expect(Math.max(...rows)).to.be.at.most(MAX_OF_A_TURN);
  });

  it('are split so when they go, too', async () => {
    await edit('b'.repeat(LONGEST));
    const rows = rowsOfStatements(catalog.knex);

    await edit(null);

    expect(sumOf(rows)).to.equal(IMAGES);
    expect(Math.max(...rows)).to.be.at.most(MAX_OF_A_TURN);
  });

  it('are written in one statement if they are short', async () => {
    const rows = rowsOfStatements(catalog.knex);

    await edit('A cat on a wall');

    expect(rows).to.deep.equal([IMAGES]);
  });

  async function edit(description: string | null): Promise<void> {
    await ports.metadata
      .in(COMMON_SPACE)
      .editMany(ids, { fields: { description }, tags: { add: [], remove: [] } }, 100_000);
  }
});

/** How many rows of metadata each statement writes from now on. */
function rowsOfStatements(knex: Knex): readonly number[] {
  const rows: number[] = [];
  knex.on('query', ({ sql, bindings }: Readonly<{ sql: string; bindings: readonly string[] }>) => {
    if (!sql.startsWith('insert into image_metadata')) return;
    rows.push((JSON.parse(bindings[0] ?? '[]') as readonly unknown[]).length);
  });
  return rows;
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
