import { expect } from 'chai';
import type { Knex } from 'knex';
import { migrationSource } from '../../migrations/migration-source.ts';
import { migrate } from '../../src/adapters/sql/schema/migrate.ts';
import { NO_METADATA } from '../../src/domain/image/image-metadata.ts';
import { Calendar } from '../../src/domain/image/time/calendar.ts';
import { COMMON_SPACE } from '../../src/domain/space/space.ts';
import { AT_ONCE } from '../support/doubles/staying.ts';
import { newImage } from '../support/fixtures/new-image.ts';
import { sqlPorts } from '../support/fixtures/sql-ports.ts';

export interface OpenedDatabase {
  readonly knex: Knex;
  readonly close: () => Promise<void>;
}

const BERLIN = new Calendar('Europe/Berlin');
const NEW_YORK = new Calendar('America/New_York');

export function adoptsATimeZone(open: () => Promise<OpenedDatabase>): void {
  let opened: OpenedDatabase;
  let knex: Knex;

  beforeEach(async () => {
    opened = await open();
    knex = opened.knex;
  });

  afterEach(async () => {
    await opened.close();
  });

  it('moves days and times without an offset to another time zone', async () => {
    const images = sqlPorts(knex, { timeZone: BERLIN.timeZone }).images;
    const ownTakenAts = ['2026-01-01T00:30:00.000', '2026-01-01T00:30:00.000Z'];
    for (const ownTakenAt of ownTakenAts) {
      await images.in(COMMON_SPACE).add(newImage(), undefined, { ...NO_METADATA, ownTakenAt, tags: ['t'] });
    }
    await migrate(knex, migrationSource, BERLIN);
    await knex('finding_state').update({ time_zone: 'Europe/Berlin' });

    await migrate(knex, migrationSource, NEW_YORK);

    const times = await knex('image_tags').pluck<unknown[]>('taken_sort').orderBy('image_id');
    expect(times.map(Number)).to.deep.equal(['2026-01-01T05:30:00Z', '2026-01-01T00:30:00Z'].map(Date.parse));
    const days = await sqlPorts(knex, { timeZone: NEW_YORK.timeZone })
      .timeline.in(COMMON_SPACE)
      .periods('day', {}, AT_ONCE);
    expect(days.map(({ period, count }) => `${period} ${count}`)).to.deep.equal([
      '2026-01-01 1',
      '2025-12-31 1',
    ]);
  });
}
