import { expect } from 'chai';
import type { Knex } from 'knex';
import { migrationSource } from '../../migrations/migration-source.ts';
import { migrate } from '../../src/adapters/sql/database/migrate.ts';
import { columnsOf } from '../../src/adapters/sql/records/image-row.ts';
import { ObjectionImageRepository } from '../../src/adapters/sql/records/objection-image-repository.ts';
import { SqlImageSearch } from '../../src/adapters/sql/search/sql-image-search.ts';
import { SqlTimeline } from '../../src/adapters/sql/search/sql-timeline.ts';
import { NO_METADATA } from '../../src/domain/image/metadata.ts';
import { Calendar } from '../../src/domain/image/time/calendar.ts';
import { unlimitedReads } from '../support/doubles/finding-ports.ts';
import { ManualClock } from '../support/doubles/manual-clock.ts';
import { UNLIMITED } from '../support/doubles/staying.ts';
import { newImage } from '../support/fixtures/new-image.ts';

export interface OpenedDatabase {
  readonly knex: Knex;
  readonly close: () => Promise<void>;
}

const BERLIN = new Calendar('Europe/Berlin');
const NEW_YORK = new Calendar('America/New_York');

/** More than one batch. */
const MANY = 2_100;

export function fillsTheIndex(open: () => Promise<OpenedDatabase>): void {
  let opened: OpenedDatabase;
  let knex: Knex;

  beforeEach(async () => {
    opened = await open();
    knex = opened.knex;
  });

  afterEach(async () => {
    await opened.close();
  });

  /** As a version without metadata does. */
  async function insertOld(count: number): Promise<void> {
    const rows = Array.from({ length: count }, (_, at) => ({
      ...columnsOf(newImage({ originalName: `cat-${at}.jpg` })),
      created_at: Date.parse('2026-01-31T23:30:00Z'),
    }));
    for (let first = 0; first < count; first += 100) {
      await knex('images').insert(rows.slice(first, first + 100));
    }
  }

  async function total(table: string): Promise<number> {
    const [row] = await knex(table).count({ total: '*' });
    return Number(row?.total);
  }

  it('describes images that an older version has recorded', async () => {
    await insertOld(MANY);

    await migrate(knex, migrationSource, BERLIN);

    expect(await total('image_metadata')).to.equal(MANY);
    expect(
      await new SqlImageSearch(knex, unlimitedReads(knex)).count({ words: ['cat', '2099'] }, UNLIMITED),
    ).to.equal(1);
    expect(await new SqlTimeline(knex, unlimitedReads(knex), BERLIN).periods('day')).to.deep.include({
      period: '2026-02-01',
      count: MANY,
      after: { by: 'taken', time: Date.parse('2026-02-01T23:00:00Z'), id: 0 },
    });
  });

  it('describes images that an older version records afterwards, at the next start', async () => {
    await insertOld(MANY);
    await migrate(knex, migrationSource, BERLIN);
    await insertOld(3);

    await migrate(knex, migrationSource, BERLIN);

    expect(await total('image_metadata')).to.equal(MANY + 3);
  });

  it('reads an image without metadata as one of which nothing is known', async () => {
    await insertOld(1);

    const [image] = await new ObjectionImageRepository(knex, new ManualClock()).findPage({
      order: 'asc',
      limit: 1,
    });

    expect(image).to.deep.include({ title: null, tags: [], takenAt: null, metadataVersion: 1 });
  });

  it('moves days and times without an offset to another time zone', async () => {
    const images = new ObjectionImageRepository(knex, new ManualClock(), undefined, knex, BERLIN);
    const ownTakenAts = ['2026-01-01T00:30:00.000', '2026-01-01T00:30:00.000Z'];
    for (const ownTakenAt of ownTakenAts) {
      await images.add(newImage(), undefined, { ...NO_METADATA, ownTakenAt, tags: ['t'] });
    }
    await migrate(knex, migrationSource, BERLIN);
    await knex('finding_state').update({ time_zone: 'Europe/Berlin' });

    await migrate(knex, migrationSource, NEW_YORK);

    const times = await knex('image_tags').pluck<unknown[]>('taken_sort').orderBy('image_id');
    expect(times.map(Number)).to.deep.equal(['2026-01-01T05:30:00Z', '2026-01-01T00:30:00Z'].map(Date.parse));
    const days = await new SqlTimeline(knex, unlimitedReads(knex), NEW_YORK).periods('day');
    expect(days.map(({ period, count }) => `${period} ${count}`)).to.deep.equal([
      '2026-01-01 1',
      '2025-12-31 1',
    ]);
  });
}
