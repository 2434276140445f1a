import { setTimeout as delay } from 'node:timers/promises';
import type { Knex } from 'knex';
import type { Calendar } from '../../../domain/image/time/calendar.ts';
import { dialectOf } from '../database/dialect-of.ts';
import { whileMigrating } from '../database/while-migrating.ts';
import { NextTables } from './next-tables.ts';
import { oldImagesAfter, oldImagesAmong } from './old-images.ts';

/** Images of one transaction: on SQLite, other processes wait for it. */
const PAGE_SIZE = 500;
/** Of one statement, and of one transaction for which every writer waits. */
const CHANGED_AT_A_TIME = 100;

/** Images that an earlier version has changed since the schema was expanded. */
const CHANGED = 'changed_images';

/**
 * Fills the tables of migration 0009, while processes of an earlier version read and write the old ones. A run that was killed, or that
 * runs beside another, goes on behind the highest id that is filled.
 */
export async function fillSpaces(knex: Knex, calendar: Calendar): Promise<void> {
  await repeatFull(knex, PAGE_SIZE, (transaction) => fillPage(transaction, calendar));
  await whileFilling(
    knex,
    async (transaction) => await new NextTables(dialectOf(knex), transaction).refreshStatistics(),
  );
}

/** Fills in again what was changed meanwhile, all but a few that are changed during the last transaction. */
export async function fillMostChanged(knex: Knex, calendar: Calendar): Promise<void> {
  await repeatFull(knex, CHANGED_AT_A_TIME, async (transaction) => {
    await dialectOf(knex).lockChanges(transaction);
    return await fillSomeChanged(transaction, calendar);
  });
}

async function repeatFull(knex: Knex, most: number, work: Work): Promise<void> {
  while ((await whileFilling(knex, work)) === most) await delay(dialectOf(knex).restMs);
}

type Work = (transaction: Knex.Transaction) => Promise<number | void>;

/** Does nothing if the tables are in use already. */
async function whileFilling(knex: Knex, work: Work): Promise<number | void> {
  return await whileMigrating(knex, async (transaction) =>
    (await transaction.schema.hasTable(CHANGED)) ? await work(transaction) : 0,
  );
}

/** Writers do not wait for it on Postgres: what they change is filled in again. */
async function fillPage(transaction: Knex.Transaction, calendar: Calendar): Promise<number> {
  const next = new NextTables(dialectOf(transaction), transaction);
  const images = await oldImagesAfter(await next.highestId(), PAGE_SIZE, transaction, calendar);
  await next.add(images);
  return images.length;
}

/** The caller holds the lock of changes. */
export async function fillChanged(transaction: Knex.Transaction, calendar: Calendar): Promise<void> {
  for (let filled = CHANGED_AT_A_TIME; filled === CHANGED_AT_A_TIME; ) {
    filled = await fillSomeChanged(transaction, calendar);
  }
}

/** Resolves to the number of images that were changed. */
async function fillSomeChanged(transaction: Knex.Transaction, calendar: Calendar): Promise<number> {
  const next = new NextTables(dialectOf(transaction), transaction);
  const ids = await transaction(CHANGED).orderBy('id').limit(CHANGED_AT_A_TIME).pluck<number[]>('id');
  if (ids.length === 0) return 0;
  await next.remove(ids);
  await next.add(await oldImagesAmong(ids, transaction, calendar));
  await transaction(CHANGED).delete().whereIn('id', ids);
  return ids.length;
}
