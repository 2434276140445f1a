import type { Knex } from 'knex';
import {
  ImageNotFound,
  NameChanged,
  NameNotFound,
  PublishingRefused,
  QuotaExceeded,
} from '../../../domain/errors.ts';
import { AFTER_ALL, MAX_NAMES_OF_IMAGE, type Name, type NamedImage } from '../../../domain/name/name.ts';
import type { Clock } from '../../../domain/ports/process/clock.ts';
import type {
  DanglingName,
  FoundImage,
  NameChange,
  NameListQuery,
  NameRecords,
  NameSetting,
  Names,
  RecordedName,
  SetName,
} from '../../../domain/ports/records/names.ts';
import type { Space } from '../../../domain/space/space.ts';
import type { ChangeQuota } from '../changes/change-quota.ts';
import type { CatalogDatabase } from '../database/catalog-database.ts';
import { hasSpace } from '../database/in-space.ts';
import { readsOfOneTurn } from '../database/reads-of-one-turn.ts';
import type { SqlDialect } from '../database/sql-dialect.ts';
import { allOf, raw, rowsOf, type SqlFragment, sql } from '../database/sql-fragment.ts';
import { spaceIdOf } from '../rows/space-row.ts';
import { forgetNames } from './forget-names.ts';
import {
  findNameRow,
  isExpected,
  isPublished,
  NAME_COLUMNS,
  NameRow,
  point,
  recordedNameFrom,
  removeNames,
} from './name-row.ts';
import {
  foundImageFrom,
  type NamedImageRow,
  type NameKey,
  type OwnedImageRow,
  selectNamedImages,
  selectNumberedNames,
  selectPublicImages,
} from './named-image-row.ts';

/** No writer waits longer for names that are forgotten. */
const FORGOTTEN_AT_A_TIME = 1_000;

interface DanglingRow extends Pick<NameRow, 'name'> {
  readonly space_name: Space;
  readonly image_id: number;
  readonly elsewhere: number | null;
}

export class SqlNames implements NameRecords {
  private readonly finder = readsOfOneTurn<NameKey, OwnedImageRow>({
    find: (keys) => this.database.preparedRows(selectNamedImages(keys, this.database.dialect)),
    keyOf: ([space, name]) => keyOf(space, name),
    keyOfRow: (row) => keyOf(row.space_name, row.name),
  });
  private readonly numberFinder = readsOfOneTurn<number, NameRow>({
    find: (numbers) => this.database.preparedRows(selectNumberedNames(numbers, this.database.dialect)),
    keyOf: (number) => number,
    keyOfRow: (row) => row.number,
  });
  private readonly publicFinder = readsOfOneTurn<number, NamedImageRow>({
    find: (numbers) => this.database.preparedRows(selectPublicImages(numbers, this.database.dialect)),
    keyOf: (number) => number,
    keyOfRow: (row) => row.number,
  });

  constructor(
    private readonly database: CatalogDatabase,
    private readonly clock: Clock,
    private readonly quota: ChangeQuota,
  ) {}

  in(space: Space): Names {
    return {
      find: async (name) => {
        const row = await this.finder.load([space, name]);
        return row && foundImageFrom(row);
      },
      set: async (name, imageId, change) => await this.set(space, name, imageId, change),
      remove: async (name, change) => await this.remove(space, name, change),
      list: async (query) => {
        const rows = await this.database.rows<NameRow>(listStatement(space, query, this.database.dialect));
        return rows.map((row) => ({ ...recordedNameFrom(row), imageId: Number(row.image_id) }));
      },
    };
  }

  async findByNumber(number: number): Promise<RecordedName | undefined> {
    const row = await this.numberFinder.load(number);
    return row && recordedNameFrom(row);
  }

  async findPublic(number: number): Promise<FoundImage | undefined> {
    const row = await this.publicFinder.load(number);
    return row && foundImageFrom(row);
  }

  private async set(
    space: Space,
    name: Name,
    imageId: number,
    { matches, by, subject, mayPublish, ...wanted }: NameSetting,
  ): Promise<SetName> {
    return await this.database.change(async (transaction) => {
      const spaceId = await requireImage(space, imageId, transaction);
      const before = await findNameRow(spaceId, name, transaction);
      if (!isExpected(before, matches)) throw new NameChanged();
      const namedAs = (row: NameRow): NamedImage => ({ ...recordedNameFrom(row), imageId });
      const wasPublic = isPublished(before);
      const isPublic = wanted.isPublic ?? wasPublic;
      if (isPublic && mayPublish !== true) throw new PublishingRefused();
      const stays = before?.image_id === imageId;
      if (stays && wasPublic === isPublic) return { named: namedAs(before), isNew: false };
      if (!stays) await requireRoom(imageId, transaction);
      const pointer = { spaceId, name, imageId, isPublic, by, before };
      const now = this.clock.now();
      const row = await point(pointer, now, transaction);
      const endsPublication = wasPublic && !isPublic;
      await this.quota[endsPublication ? 'count' : 'admit']({ space, subject }, 1, now, transaction);
      return { named: namedAs(row), isNew: (before?.image_id ?? null) === null };
    });
  }

  private async remove(space: Space, name: Name, { matches, by, subject }: NameChange): Promise<void> {
    await this.database.change(async (transaction) => {
      const row = await findNameRow(await spaceIdOf(space, transaction), name, transaction);
      if (row === undefined || row.image_id === null) throw new NameNotFound();
      if (!isExpected(row, matches)) throw new NameChanged();
      const now = this.clock.now();
      await removeNames([row], () => by, now, transaction);
      await this.quota.count({ space, subject }, 1, now, transaction);
    });
  }

  async findDangling(): Promise<readonly DanglingName[]> {
    const rows = await this.database.rows<DanglingRow>(
      sql`select names.name, image_id, spaces.name as space_name, images.space as elsewhere
      from names join spaces on spaces.id = names.space left join images on images.id = image_id
      where image_id is not null and (images.id is null or images.space <> names.space) order by number`,
    );
    return rows.map(({ name, image_id: imageId, space_name: space, elsewhere }) => {
      return { name, imageId, space, isElsewhere: elsewhere !== null };
    });
  }

  async highestNumber(): Promise<number> {
    return await this.database.highestId(NameRow.tableName);
  }

  async reserveNumbers(upTo: number): Promise<void> {
    const { dialect } = this.database;
    await this.database.change((transaction) => dialect.raiseIds(transaction, NameRow.tableName, upTo));
  }

  /** The first statement finds them: no writer waits for a search. */
  async forgetRemoved(time: Date): Promise<number> {
    const found = await this.database.rows<Pick<NameRow, 'number'>>(
      sql`select number from names where ${forgettable(time)} order by updated_at limit ${FORGOTTEN_AT_A_TIME}`,
    );
    if (found.length === 0) return 0;
    const numbers = found.map(({ number }) => number);
    const those = this.database.dialect.isAmong('number', numbers);
    // One may have been given again since.
    return await this.database.change((transaction) =>
      forgetNames(allOf([those, forgettable(time)]), transaction),
    );
  }
}

/** Removed up to this time, and the feed has no change of it. */
function forgettable(time: Date): SqlFragment {
  return sql`image_id is null and updated_at <= ${time.getTime()} and not exists
    (select 1 from changes where changes.space = names.space and changes.name = names.name)`;
}

/** @throws {QuotaExceeded} */
async function requireRoom(imageId: number, transaction: Knex): Promise<void> {
  const names = sql`select number from names where image_id = ${imageId} limit ${MAX_NAMES_OF_IMAGE}`;
  const held = await rowsOf(transaction, names);
  if (held.length < MAX_NAMES_OF_IMAGE) return;
  throw new QuotaExceeded(`An image has at most ${MAX_NAMES_OF_IMAGE} names`);
}

/** Resolves to the number of the space. */
async function requireImage(space: Space, imageId: number, transaction: Knex): Promise<number> {
  const image = sql`select space from images where id = ${imageId} and ${hasSpace(space, 'space')}`;
  const [row] = await rowsOf<{ readonly space: number }>(transaction, image);
  if (row === undefined) throw new ImageNotFound();
  return row.space;
}

/** A name has no space character. */
function keyOf(space: Space, name: Name): string {
  return `${name} ${space}`;
}

function listStatement(
  space: Space,
  { prefix, after, limit, isPublic }: NameListQuery,
  dialect: SqlDialect,
): SqlFragment {
  // SQLite would look for one of two lower bounds, and read all names between them.
  const begin = after === undefined || after < prefix ? sql`name >= ${prefix}` : sql`name > ${after}`;
  const [names, published] =
    isPublic === undefined
      ? [raw('names'), raw('')]
      : // Without statistics, SQLite would read the index of all names.
        [dialect.byIndex('names', 'names_public_index'), sql`and is_public = ${Number(isPublic)}`];
  return sql`select ${raw(NAME_COLUMNS)} from ${names} where ${hasSpace(space, 'space')} and image_id is not null ${published}
    and ${begin} and name < ${prefix + AFTER_ALL} order by name limit ${limit}`;
}
