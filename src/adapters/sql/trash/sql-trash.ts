import type { BlobKey } from '../../../domain/image/blob-key.ts';
import type { CatalogImage } from '../../../domain/image/image.ts';
import { summaryOf } from '../../../domain/image/summary-of.ts';
import type { Calendar } from '../../../domain/image/time/calendar.ts';
import type { Clock } from '../../../domain/ports/process/clock.ts';
import { type Author, NO_AUTHOR } from '../../../domain/ports/records/author.ts';
import type {
  Trash,
  TrashAge,
  TrashedImage,
  TrashedRecord,
  TrashPageQuery,
  TrashRecords,
} from '../../../domain/ports/records/trash.ts';
import type { Space } from '../../../domain/space/space.ts';
import type { ChangeQuota } from '../changes/change-quota.ts';
import { type RecordedChange, recordChanges } from '../changes/record-changes.ts';
import type { CatalogDatabase } from '../database/catalog-database.ts';
import { inSpace } from '../database/in-space.ts';
import { allOf, type SqlFragment, sql } from '../database/sql-fragment.ts';
import { SearchIndex } from '../metadata/search-index.ts';
import { restoreUnswept } from '../records/swept-blobs.ts';
import { uuidFrom } from '../rows/image-columns.ts';
import { putIntoTrash } from './put-into-trash.ts';
import { restoreTrashedImage } from './restore-trashed-image.ts';
import { takeFromTrash } from './take-from-trash.ts';
import { type OwnedTrashedColumns, trashedRecordFromRow } from './trashed-columns.ts';

/** No writer waits longer for an erasure. */
const ERASED_AT_A_TIME = 100;

const WITH_SPACE = sql`select trashed_images.*, spaces.name as space_name from trashed_images
  join spaces on spaces.id = trashed_images.space`;

export class SqlTrash implements TrashRecords {
  private readonly index: SearchIndex;

  constructor(
    private readonly database: CatalogDatabase,
    private readonly clock: Clock,
    calendar: Calendar,
    private readonly quota: ChangeQuota,
  ) {
    this.index = new SearchIndex(calendar);
  }

  in(space: Space): Trash {
    return {
      findPage: async (query) => await this.findPage(space, query),
      restore: async (id, author) => await this.restore(space, id, author),
      erase: async (id, by) => (await this.erase(oneOf(space, id), by))[0],
    };
  }

  private async findPage(space: Space, { after, limit }: TrashPageQuery): Promise<readonly TrashedImage[]> {
    const behind = after && sql`(trashed_at, image_id) < (${after.trashedAt.getTime()}, ${after.id})`;
    const where = allOf([inSpace(space, 'trashed_images.space'), behind]);
    const rows = await this.database.rows<OwnedTrashedColumns>(
      sql`${WITH_SPACE} where ${where} order by trashed_at desc, image_id desc limit ${limit}`,
    );
    return rows.map(trashedImageFromRow);
  }

  private async restore(
    space: Space,
    id: number,
    { by, subject }: Author = NO_AUTHOR,
  ): Promise<CatalogImage | undefined> {
    const { clock, index, database } = this;
    return await database.change(async (transaction) => {
      const [row] = await takeFromTrash(oneOf(space, id), transaction);
      if (row === undefined) return undefined;
      const restoring = { index, now: clock.now(), by };
      const { image, changes } = await restoreTrashedImage(row, restoring, transaction);
      await this.quota.admit({ space, subject }, changes, restoring.now, transaction);
      return image;
    });
  }

  async eraseOlder(age: TrashAge): Promise<readonly BlobKey[]> {
    const oldest = sql`select image_id from trashed_images where ${this.isOlder(age)}
      order by trashed_at, image_id limit ${ERASED_AT_A_TIME}`;
    return await this.erase(sql`image_id in (${oldest})`);
  }

  async countOlder(age: TrashAge): Promise<number> {
    return await this.database.number(sql`select count(*) from trashed_images where ${this.isOlder(age)}`);
  }

  /** By two clocks: that of one machine may be wrong. */
  private isOlder({ now, ageMs }: TrashAge): SqlFragment {
    const { now: databaseNow } = this.database.dialect;
    const time = now.getTime() - ageMs;
    return sql`trashed_at <= ${time} and trashed_at <= ${databaseNow} - cast(${ageMs} as bigint)`;
  }

  private async erase(condition: SqlFragment, by?: string): Promise<readonly BlobKey[]> {
    return await this.database.change(async (transaction) => {
      const rows = await takeFromTrash(condition, transaction);
      const changes = rows.map(({ image_id: imageId, space: spaceId }): RecordedChange => {
        return { type: 'image.deleted', imageId, spaceId, by };
      });
      await recordChanges(changes, this.clock.now(), transaction);
      return rows.map(({ uuid }) => uuidFrom(uuid));
    });
  }

  async count(): Promise<number> {
    return await this.database.number(sql`select sum(trashed_images) from spaces`);
  }

  async findAll(after: number, limit: number): Promise<readonly TrashedRecord[]> {
    const rows = await this.database.rows<OwnedTrashedColumns>(
      sql`${WITH_SPACE} where image_id > ${after} order by image_id limit ${limit}`,
    );
    return rows.map(trashedRecordFromRow);
  }

  async restoreTrashed(images: readonly TrashedRecord[]): Promise<void> {
    const { database } = this;
    await restoreUnswept(images, database, async (transaction) => putIntoTrash(images, transaction));
  }
}

function oneOf(space: Space, id: number): SqlFragment {
  return sql`image_id = ${id} and ${inSpace(space, 'space')}`;
}

function trashedImageFromRow(row: OwnedTrashedColumns): TrashedImage {
  const { trashedAt, trashedBy, metadata, ...record } = trashedRecordFromRow(row);
  const { space: _space, hashes: _hashes, ...image } = record;
  return { image: { ...image, ...summaryOf(metadata) }, trashedAt, trashedBy };
}
