import { expect } from 'chai';
import type { Knex } from 'knex';
import type { Name } from '../../src/domain/name/name.ts';
import type { ImageRecords } from '../../src/domain/ports/records/image-repository.ts';
import type { NameRecords } from '../../src/domain/ports/records/names.ts';
import { COMMON_SPACE, type Space } from '../../src/domain/space/space.ts';
import { newImage } from '../support/fixtures/new-image.ts';
import { plantNames } from '../support/fixtures/plant-names.ts';
import { sqlPorts } from '../support/fixtures/sql-ports.ts';
import { describeOnPostgres } from '../support/servers/postgres-server.ts';
import { newSqliteCatalog } from '../support/servers/sqlite-catalog.ts';
import { ManualClock } from '../support/time/manual-clock.ts';

/** More than SQLite has variables for. */
const MANY = 40_000;
const [ALPHA, BETA] = ['alpha', 'beta'] as [Space, Space];

interface Opened {
  readonly knex: Knex;
  readonly tearDown: () => Promise<void>;
}

/** An image with more names than the limit allows: from an earlier version. */
function holdsManyNames(open: () => Promise<Opened>): void {
  let opened: Opened;
  let images: ImageRecords;
  let names: NameRecords;

  beforeEach(async () => {
    opened = await open();
    const clock = new ManualClock();
    images = sqlPorts(opened.knex, { clock }).images;
    names = sqlPorts(opened.knex, { clock }).names;
  });

  afterEach(() => opened.tearDown());

  async function addNamed(space = COMMON_SPACE): Promise<number> {
    const { id } = await images.in(space).add(newImage());
    await plantNames(opened.knex, id, MANY);
    return id;
  }

  async function removals(): Promise<number> {
    const [row] = await opened.knex('changes').where({ kind: 7 }).count({ count: '*' });
    return Number(row?.['count']);
  }

  it('is deleted with all of them', async () => {
    const id = await addNamed();

    expect(await images.in(COMMON_SPACE).removeById(id)).to.equal(true);
    expect([await removals(), await names.findDangling()]).to.deep.equal([MANY, []]);
  });

  it('moves to the trash without them, and is restored', async () => {
    const id = await addNamed();
    const trash = sqlPorts(opened.knex).trash;

    expect(await images.in(COMMON_SPACE).removeById(id, undefined, 'trash')).to.equal(true);
    expect(await removals()).to.equal(MANY);
    expect(await trash.in(COMMON_SPACE).restore(id)).to.include({ id });
  });

  it('moves with its space, which can end', async () => {
    const id = await addNamed(ALPHA);
    const spaces = sqlPorts(opened.knex).spaces;
    await spaces.rename(ALPHA, COMMON_SPACE);
    await spaces.rename(COMMON_SPACE, BETA);

    expect(await names.in(BETA).find(`planted-${id}-40000` as Name)).to.include({ imageId: id });
    expect(await images.in(BETA).removeById(id)).to.equal(true);
    expect(await spaces.forget(BETA)).to.equal(true);
    expect(await opened.knex('names').first()).to.equal(undefined);
  });

  it('gives a name to another image', async () => {
    const named = await addNamed();
    const { id } = await images.in(COMMON_SPACE).add(newImage());

    const moved = await names.in(COMMON_SPACE).set(`planted-${named}-7` as Name, id, {});

    expect(moved.named).to.include({ imageId: id, version: 2 });
  });

  it('leaves names that are forgotten in portions of at most 1,000', async () => {
    const id = await addNamed();
    await images.in(COMMON_SPACE).removeById(id);
    await opened.knex('changes').delete().where({ kind: 7 });
    const time = new Date(8.64e15);

    expect(await names.forgetRemoved(time)).to.equal(1_000);
    expect(await names.forgetRemoved(time)).to.equal(1_000);
  });
}

describe('An image with 40,000 names on SQLite', () => {
  holdsManyNames(newSqliteCatalog);
});

describeOnPostgres('An image with 40,000 names on Postgres', (server) => {
  holdsManyNames(() => server().openCatalog());
});
