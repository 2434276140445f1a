import type { Knex } from 'knex';
import type { Calendar } from '../../../domain/image/time/calendar.ts';
import { CatalogDatabase } from '../database/catalog-database.ts';
import { describedAmong } from '../metadata/described-among.ts';
import { SearchIndex } from '../metadata/search-index.ts';

const TABLE = 'finding_state';
const SINGLETON = 1;

/** The images of one transaction: other processes write in between. */
const BATCH_SIZE = 1_000;

interface StateRow {
  readonly singleton: number;
  readonly time_zone: string;
}

/** Moves all days if the time zone of the catalog has changed. A killed run is repeated at the next start. */
export async function adoptTimeZone(knex: Knex, calendar: Calendar): Promise<void> {
  const state = await stateOf(knex, calendar);
  if (state.time_zone !== calendar.timeZone) await moveDays(knex, calendar);
}

async function stateOf(knex: Knex, { timeZone }: Calendar): Promise<StateRow> {
  const found = await knex<StateRow>(TABLE).first();
  if (found !== undefined) return found;
  const first: StateRow = { singleton: SINGLETON, time_zone: timeZone };
  await knex(TABLE).insert(first).onConflict('singleton').ignore();
  return first;
}

/** The counts of the days change with each batch, so an interrupted move leaves them right. */
async function moveDays(knex: Knex, calendar: Calendar): Promise<void> {
  let last = 0;
  for (;;) {
    const rows: ReadonlyArray<{ readonly image_id: number }> = await knex('image_metadata')
      .select('image_id')
      .where('image_id', '>', last)
      .orderBy('image_id')
      .limit(BATCH_SIZE);
    const ids = rows.map(({ image_id }) => image_id);
    if (ids.length === 0) break;
    await writeAll(knex, calendar, ids);
    last = ids.at(-1) ?? last;
  }
  await knex(TABLE).update({ time_zone: calendar.timeZone });
}

async function writeAll(knex: Knex, calendar: Calendar, ids: readonly number[]): Promise<void> {
  await new CatalogDatabase({ knex }).change(async (transaction) => {
    const images = await describedAmong(ids, transaction);
    const changes = [...images.values()].map(({ record, before, metadata }) => ({
      before,
      after: { record, metadata },
    }));
    await new SearchIndex(calendar).write(transaction, changes);
  });
}
