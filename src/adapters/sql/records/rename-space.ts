import type { Knex } from 'knex';
import type { PartialModelObject } from 'objection';
import { SpaceInUse } from '../../../domain/errors.ts';
import { COMMON_SPACE, type Space } from '../../../domain/space/space.ts';
import { TICKET_SCOPE } from '../../../domain/ticket/ticket.ts';
import { COMMON_SPACE_ID } from '../database/in-space.ts';
import { raw, rowsOf, sql } from '../database/sql-fragment.ts';
import { forgetNames } from '../names/forget-names.ts';
import { SpaceRow, spaceIdOf } from '../rows/space-row.ts';

/** With a row for each image. */
const IMAGE_TABLES = ['image_metadata', 'image_appearances'];
const OTHER_TABLES = ['words', 'tags', 'timeline_days', 'changes', 'change_counts', 'names'];

/** Ids of one statement, which must end in time. */
const MOVED_AT_A_TIME = 100_000;

const EMPTY: PartialModelObject<SpaceRow> = {
  images: 0,
  bytes: 0,
  trashed_images: 0,
  trashed_bytes: 0,
  max_images: null,
  max_bytes: null,
};

/**
 * The caller holds the lock of `SqlDialect.lockChanges`. Another name of the row is enough, but statements know the number of the
 * common space: its images are moved.
 *
 * @throws {SpaceInUse}
 */
export async function renameSpace(from: Space, to: Space, transaction: Knex.Transaction): Promise<boolean> {
  const target = await rowOf(to, transaction);
  if (target !== undefined && (await isInUse(target, transaction))) throw new SpaceInUse();
  const source = await rowOf(from, transaction);
  if (source === undefined) return false;
  if (from === COMMON_SPACE || to === COMMON_SPACE) {
    await move(source, await spaceIdOf(to, transaction), transaction);
    await removeUnneeded(source.id, transaction);
    return true;
  }
  if (target !== undefined) {
    await forgetNamesIn(target.id, transaction);
    // Of images that it had once.
    await transaction('changes').update({ space: source.id }).where({ space: target.id });
    await transaction('change_counts').delete().where({ space: target.id });
    await SpaceRow.query(transaction).deleteById(target.id);
  }
  await SpaceRow.query(transaction).patch({ name: to }).findById(source.id);
  await giveTickets(source.id, from, transaction);
  if (target !== undefined) await giveTickets(target.id, to, transaction);
  return true;
}

async function rowOf(space: Space, transaction: Knex): Promise<SpaceRow | undefined> {
  return await SpaceRow.query(transaction).findOne({ name: space });
}

async function isInUse(row: SpaceRow, transaction: Knex): Promise<boolean> {
  const { images, trashed_images, max_images, max_bytes } = row;
  if (images + trashed_images > 0 || max_images !== null || max_bytes !== null) return true;
  return (await keysOfClients(row.id, transaction).first('space')) !== undefined;
}

/** Without those of tickets, which stay: a ticket is for a space by name, and so is its use. */
function keysOfClients(space: number, transaction: Knex): Knex.QueryBuilder {
  return transaction('idempotency_keys').where({ space }).whereNot({ scope: TICKET_SCOPE });
}

/** Moves the keys of tickets to the row that has the name of their space by now. */
async function giveTickets(space: number, name: Space, transaction: Knex): Promise<void> {
  const tickets = transaction('idempotency_keys').where({ space, scope: TICKET_SCOPE });
  if ((await tickets.clone().first('space')) === undefined) return;
  await tickets.update({ space: await spaceIdOf(name, transaction) });
}

async function move(source: SpaceRow, to: number, transaction: Knex): Promise<void> {
  const { id } = source;
  const [last] = await rowsOf<{ readonly id: number }>(transaction, sql`select max(id) as id from images`);
  for (let first = 0; first < Number(last?.id); first += MOVED_AT_A_TIME) {
    const some = [first + 1, first + MOVED_AT_A_TIME] as const;
    await movePlaced({ table: 'images', key: 'id', from: id, to, ids: some }, transaction);
    for (const table of IMAGE_TABLES) {
      await transaction(table).update({ space: to }).where({ space: id }).whereBetween('image_id', some);
    }
  }
  // Behind the places of the images: each is taken once.
  const all = [1, Number.MAX_SAFE_INTEGER] as const;
  await movePlaced({ table: 'trashed_images', key: 'image_id', from: id, to, ids: all }, transaction);
  await forgetNamesIn(to, transaction);
  await transaction('change_counts').delete().where({ space: to });
  for (const table of OTHER_TABLES) await transaction(table).update({ space: to }).where({ space: id });
  await keysOfClients(id, transaction).update({ space: to });
  const { images, bytes, trashed_images, trashed_bytes, max_images, max_bytes } = source;
  const counters = { images, bytes, trashed_images, trashed_bytes, max_images, max_bytes };
  await SpaceRow.query(transaction).patch(counters).findById(to);
  await SpaceRow.query(transaction).patch(EMPTY).findById(id);
}

/** Of a space without images: all of them are gone already. */
async function forgetNamesIn(space: number, transaction: Knex): Promise<void> {
  await forgetNames(sql`space = ${space}`, transaction);
}

interface Moved {
  readonly table: 'images' | 'trashed_images';
  readonly key: 'id' | 'image_id';
  readonly from: number;
  readonly to: number;
  readonly ids: readonly [first: number, last: number];
}

/** They get the next places, but in the common space, where images have none. */
async function movePlaced({ table, key, from, to, ids }: Moved, transaction: Knex): Promise<void> {
  const [rows, id, [first, last]] = [raw(table), raw(key), ids];
  const place = raw(to === COMMON_SPACE_ID ? 'null' : 'numbered.place');
  const moved = await rowsOf(
    transaction,
    sql`update ${rows} set space = ${to}, place = ${place} from (
        select ${id}, (select last_place from spaces where id = ${to}) + row_number() over (order by ${id}) as place
        from ${rows} where space = ${from} and ${id} between ${first} and ${last}
      ) as numbered where numbered.${id} = ${rows}.${id} returning ${rows}.${id}`,
  );
  if (to === COMMON_SPACE_ID) return;
  await SpaceRow.query(transaction).increment('last_place', moved.length).findById(to);
}

/** The caller holds the lock of `SqlDialect.lockChanges`. */
export async function forgetSpace(space: Space, transaction: Knex.Transaction): Promise<boolean> {
  const row = await rowOf(space, transaction);
  if (row === undefined) return true;
  const { id } = row;
  // Not by the counters: wrong ones would keep a space for ever.
  for (const table of ['images', 'trashed_images']) {
    if ((await transaction(table).where({ space: id }).first('space')) !== undefined) return false;
  }
  await keysOfClients(id, transaction).delete();
  await transaction('change_counts').delete().where({ space: id });
  await forgetNamesIn(id, transaction);
  await SpaceRow.query(transaction).patch(EMPTY).findById(id);
  await removeUnneeded(id, transaction);
  return true;
}

/** The name stays as long as the feed of changes needs it, or a ticket that was used. */
async function removeUnneeded(id: number, transaction: Knex): Promise<void> {
  if (id === COMMON_SPACE_ID) return;
  for (const table of ['changes', 'idempotency_keys']) {
    // The index of changes leaves out the common space.
    const rows = transaction(table).where({ space: id }).where('space', '<>', COMMON_SPACE_ID);
    if ((await rows.first('space')) !== undefined) return;
  }
  await SpaceRow.query(transaction).deleteById(id);
}
