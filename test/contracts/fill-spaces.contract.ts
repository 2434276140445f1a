import { expect } from 'chai';
import type { Knex } from 'knex';
import { migrationSource } from '../../migrations/migration-source.ts';
import { migrate } from '../../src/adapters/sql/database/migrate.ts';
import { schemaOf } from '../../src/adapters/sql/database/schema-of.ts';
import { ObjectionIdempotencyKeys } from '../../src/adapters/sql/records/objection-idempotency-keys.ts';
import { ObjectionImageRepository } from '../../src/adapters/sql/records/objection-image-repository.ts';
import { SqlSpaces } from '../../src/adapters/sql/records/sql-spaces.ts';
import { RandomUuids } from '../../src/adapters/system/clock-and-uuids.ts';
import { COMMON_SPACE, NO_LIMITS } from '../../src/domain/space/space.ts';
import { newImage } from '../support/fixtures/new-image.ts';
import { OldCatalog } from '../support/fixtures/old-catalog.ts';
import { rejection } from '../support/fixtures/rejection.ts';
import { ManualClock } from '../support/time/manual-clock.ts';

export interface EmptyDatabase {
  readonly knex: Knex;
  /** Of another process. */
  readonly other: Knex;
  /** An empty catalog of this version, for comparison. */
  readonly fresh: Knex;
  /** Migrates in a process that is killed while it fills the second page. */
  readonly migrateHalf: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** More than one page. */
const MANY = 600;

/** Of the running test: set before each. */
let made: EmptyDatabase;
let knex: Knex;

/** Registers tests of the migration of a catalog that has images, but no spaces. */
export function fillsSpaces(open: () => Promise<EmptyDatabase>): void {
  beforeEach(async () => {
    made = await open();
    knex = made.knex;
  });

  afterEach(async () => {
    await made.close();
  });

  it('are the same as if this version had recorded the images', async () => {
    const old = await OldCatalog.make(knex);
    await old.add(60);
    for (const id of [1, 2, 3, 12]) await old.patch(id, 'Another title');

    expect(await schemaOf(knex)).to.equal('older');
    const ran = await migrate(knex, migrationSource);

    expect(ran).to.include.members(['0009-create-spaces', '0010-use-spaces']);
    expect(await schemaOf(knex)).to.equal('current');
    await expectAll(old);
  });

  it('are filled while another process of the earlier version writes, although a migration is killed', async () => {
    const old = await OldCatalog.make(knex);
    await old.add(MANY);
    const writing = writeUntilRefused(old.through(made.other));

    await made.migrateHalf();
    const filled: readonly number[] = await knex('next_images').pluck('id');
    expect(filled).to.have.length(500);
    await migrate(knex, migrationSource);
    const written = await writing;

    expect(written).to.be.at.least(3);
    await expectAll(old);
  });

  it('are filled by several processes at the same time', async () => {
    const old = await OldCatalog.make(knex);
    await old.add(MANY);

    await Promise.all([migrate(knex, migrationSource), migrate(made.other, migrationSource)]);

    await expectAll(old);
  });

  it('never get an id again that the earlier version has given', async () => {
    const old = await OldCatalog.make(knex);
    const ids = await old.add(3);
    for (const id of ids) await old.remove(id);

    await migrate(knex, migrationSource);

    const images = new ObjectionImageRepository(knex, new ManualClock());
    expect(await images.highestId()).to.equal(ids.at(-1));
    expect((await images.in(COMMON_SPACE).add(newImage())).id).to.be.greaterThan(ids.at(-1) as number);
  });

  it('refuse the sweeper of an earlier version that still runs, to which every blob would be an orphan', async () => {
    const old = await OldCatalog.make(knex);
    const [id] = await old.add();
    const uuid = old.images.get(id as number)?.uuid as string;
    const findAsBefore = async (): Promise<unknown> =>
      await made.other('images').select('uuid').whereIn('uuid', [uuid]);
    expect(await findAsBefore()).to.deep.equal([{ uuid }]);

    await migrate(knex, migrationSource);

    expect(await rejection(findAsBefore())).to.match(/uuid/);
  });

  it('have the idempotency keys, in the common space', async () => {
    await OldCatalog.make(knex);
    const row = {
      scope: 'a',
      key: 'k',
      sha256: 'b'.repeat(64),
      token: newImage().uuid,
      holder: 'h',
      image_id: 7,
    };
    await knex('idempotency_keys').insert({ ...row, claimed_at: 1_000 });

    await migrate(knex, migrationSource);

    const identity = { clock: new ManualClock(), uuids: new RandomUuids() };
    const keys = new ObjectionIdempotencyKeys(knex, {
      ...identity,
      processes: { self: 's', isGone: () => true },
    });
    const { scope, key, sha256 } = row;
    expect(await keys.findCompleted({ limit: 10 })).to.deep.equal([
      { space: COMMON_SPACE, scope, key, sha256, imageId: 7, claimedAt: new Date(1_000) },
    ]);
  });
}

/** Resolves to the number of writes, when the tables of the earlier version are gone. */
async function writeUntilRefused(old: OldCatalog): Promise<number> {
  for (let written = 0; ; written += 3) {
    const ids = [...old.images.keys()];
    try {
      await old.add();
      await old.patch(ids[(written * 7) % ids.length] as number, `Written ${written}`);
      await old.remove(ids[(written * 13) % ids.length] as number);
    } catch (error) {
      if ((await schemaOf(knex)) === 'current') return written;
      throw error;
    }
  }
}

async function expectAll(old: OldCatalog): Promise<void> {
  const images = new ObjectionImageRepository(knex, new ManualClock());
  const fresh = new ObjectionImageRepository(made.fresh, new ManualClock());
  const expected = [...old.images.values()].toSorted((a, b) => a.id - b.id);
  for (let start = 0; start < expected.length; start += 500) {
    await fresh.restore(expected.slice(start, start + 500));
  }
  const all = { order: 'asc', limit: 10_000 } as const;

  expect(await images.findPage(all)).to.deep.equal(await fresh.findPage(all));
  const ids = expected.slice(-400).map(({ id }) => id);
  expect(await images.findMetadata(ids)).to.deep.equal(await fresh.findMetadata(ids));
  expect(await images.findHashes(ids)).to.deep.equal(await fresh.findHashes(ids));
  for (const statement of DERIVED) {
    const [found, wanted] = [await rowsIn(knex, statement), await rowsIn(made.fresh, statement)];
    expect(found, statement).to.deep.equal(wanted);
  }
  expect(await new SqlSpaces(knex, NO_LIMITS).recount()).to.deep.equal([]);
  const [feed] = await rowsIn(knex, 'select count(*) as total from changes where kind <> 0');
  expect(Number(feed?.total)).to.equal(old.changes);
}

const DERIVED: readonly string[] = [
  'select space, word, images from words order by word',
  `select word, image_id from image_words join words on words.id = word_id order by word, image_id`,
  'select space, fold, spelling, images from tags order by fold',
  'select fold, image_id, taken_sort from image_tags join tags on tags.id = tag_id order by fold, image_id',
  'select space, day, images from timeline_days order by day',
  'select name, images, bytes, last_place from spaces',
];

async function rowsIn(connection: Knex, statement: string): Promise<ReadonlyArray<Record<string, unknown>>> {
  const result = await connection.raw<Record<string, unknown>[] | { rows: Record<string, unknown>[] }>(
    statement,
  );
  return 'rows' in result ? result.rows : result;
}
