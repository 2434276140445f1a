import type { Knex } from 'knex';
import { SpaceInUse } from '../../../domain/errors.ts';
import { COMMON_SPACE, type Space } from '../../../domain/space/space.ts';
import { COMMON_SPACE_ID } from '../database/in-space.ts';
import { rowsOf, sql } from '../database/sql-fragment.ts';
import { SPACES_TABLE, type SpaceRow, spaceIdOf } from './space-row.ts';

/** With a row for each image. */
const IMAGE_TABLES = ['image_metadata', 'image_appearances'];
const OTHER_TABLES = ['words', 'tags', 'timeline_days', 'idempotency_keys', 'changes'];

/** Ids of one statement, which must end in time. */
const MOVED_AT_A_TIME = 100_000;

const EMPTY: Omit<SpaceRow, 'id' | 'name' | 'last_place'> = {
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
export async function renameSpace(from: Space, to: Space, transaction: Knex.Transaction): Promise<void> {
  const target = await rowOf(to, transaction);
  if (target !== undefined && (await isInUse(target, transaction))) throw new SpaceInUse();
  const source = await rowOf(from, transaction);
  if (source === undefined) return;
  if (from === COMMON_SPACE || to === COMMON_SPACE) {
    await move(source, await spaceIdOf(to, transaction), transaction);
    if (from !== COMMON_SPACE) await transaction(SPACES_TABLE).delete().where({ id: source.id });
    return;
  }
  if (target !== undefined) {
    // Of images that it had once.
    await transaction('changes').update({ space: source.id }).where({ space: target.id });
    await transaction(SPACES_TABLE).delete().where({ id: target.id });
  }
  await transaction(SPACES_TABLE).update({ name: to }).where({ id: source.id });
}

async function rowOf(space: Space, transaction: Knex): Promise<SpaceRow | undefined> {
  return await transaction<SpaceRow>(SPACES_TABLE).where({ name: space }).first();
}

async function isInUse(row: SpaceRow, transaction: Knex): Promise<boolean> {
  const { images, trashed_images, max_images, max_bytes } = row;
  if (images + trashed_images > 0 || max_images !== null || max_bytes !== null) return true;
  return (await transaction('idempotency_keys').where({ space: row.id }).first('space')) !== undefined;
}

async function move(source: SpaceRow, to: number, transaction: Knex): Promise<void> {
  const { id } = source;
  const [last] = await rowsOf<{ readonly id: number }>(transaction, sql('select max(id) as id from images'));
  for (let first = 0; first < Number(last?.id); first += MOVED_AT_A_TIME) {
    const some = [first + 1, first + MOVED_AT_A_TIME] as const;
    await moveImages(id, to, some, transaction);
    for (const table of IMAGE_TABLES) {
      await transaction(table).update({ space: to }).where({ space: id }).whereBetween('image_id', some);
    }
  }
  for (const table of OTHER_TABLES) await transaction(table).update({ space: to }).where({ space: id });
  const { images, bytes, trashed_images, trashed_bytes, max_images, max_bytes } = source;
  const counters = { images, bytes, trashed_images, trashed_bytes, max_images, max_bytes };
  await transaction(SPACES_TABLE).update(counters).where({ id: to });
  await transaction(SPACES_TABLE).update(EMPTY).where({ id });
}

/** They get the next places, but in the common space, where images have none. */
async function moveImages(
  from: number,
  to: number,
  [first, last]: readonly [number, number],
  transaction: Knex,
): Promise<void> {
  if (to === COMMON_SPACE_ID) {
    const some = transaction('images').where({ space: from }).whereBetween('id', [first, last]);
    await some.update({ space: to, place: null });
    return;
  }
  const moved = await rowsOf(
    transaction,
    sql(
      `update images set space = ?, place = numbered.place from (
        select id, (select last_place from spaces where id = ?) + row_number() over (order by id) as place
        from images where space = ? and id between ? and ?
      ) as numbered where numbered.id = images.id returning images.id`,
      to,
      to,
      from,
      first,
      last,
    ),
  );
  await transaction(SPACES_TABLE).increment('last_place', moved.length).where({ id: to });
}

/**
 * The caller holds the lock of `SqlDialect.lockChanges`. The name stays as long as the feed of changes needs it.
 */
export async function forgetSpace(space: Space, transaction: Knex.Transaction): Promise<boolean> {
  const row = await rowOf(space, transaction);
  if (row === undefined) return true;
  const { id } = row;
  // Not by the counters: wrong ones would keep a space for ever.
  if ((await transaction('images').where({ space: id }).first('id')) !== undefined) return false;
  await transaction('idempotency_keys').delete().where({ space: id });
  await transaction(SPACES_TABLE).update(EMPTY).where({ id });
  const change = await transaction('changes')
    .where({ space: id })
    .where('space', '<>', COMMON_SPACE_ID)
    .first('space');
  if (change === undefined && id !== COMMON_SPACE_ID) await transaction(SPACES_TABLE).delete().where({ id });
  return true;
}
