import DataLoader from 'dataloader';
import type { Knex } from 'knex';
import { StorageUnavailable } from '../../domain/errors.ts';
import type { Image, NewImage } from '../../domain/image/image.ts';
import type { Clock } from '../../domain/ports/clock.ts';
import type { IdempotencyClaim } from '../../domain/ports/idempotency-keys.ts';
import { completeClaim } from './claimed-images.ts';
import { translatingDatabaseErrors } from './database-errors.ts';
import { columnsOf, type ImageColumns, ImageRow, imageFromRow } from './image-row.ts';
import type { SqlDialect } from './sql-dialect.ts';

export interface NewRecord {
  readonly image: NewImage;
  readonly claim: IdempotencyClaim | undefined;
}

const MAX_GROUP_SIZE = 32;

/**
 * Group commit: images that arrive during a commit share the sync, lock and round trips of the next transaction. A single image
 * is recorded at once.
 */
export class ImageRecorder {
  private current: Promise<unknown> = Promise.resolve();
  private readonly groups = new DataLoader<NewRecord, Image>(
    (records) => {
      // Several groups may wait for the same commit: each waits for the group before it.
      const group = this.current.then(() => this.recordAll(records));
      this.current = group.catch(() => undefined);
      return group;
    },
    {
      cache: false,
      maxBatchSize: MAX_GROUP_SIZE,
      batchScheduleFn: (begin) => void this.current.then(begin),
    },
  );

  constructor(
    private readonly knex: Knex,
    private readonly clock: Clock,
    private readonly dialect: SqlDialect,
  ) {}

  async record(record: NewRecord): Promise<Image> {
    return await this.groups.load(record);
  }

  private async recordAll(records: readonly NewRecord[]): Promise<ReadonlyArray<Image | Error>> {
    try {
      return await translatingDatabaseErrors(this.dialect, () => this.recordTogether(records));
    } catch (error) {
      if (records.length === 1 || error instanceof StorageUnavailable) throw error;
      // One rejected record must not fail the rest of its group.
      return await Promise.all(records.map((record) => this.recordAlone(record)));
    }
  }

  private async recordAlone(record: NewRecord): Promise<Image | Error> {
    const [outcome] = await this.recordAll([record]).catch((error: unknown) => [error as Error]);
    return outcome as Image | Error;
  }

  private async recordTogether(records: readonly NewRecord[]): Promise<readonly (Image | Error)[]> {
    const images = records.map(({ image }) => image);
    if (this.dialect.hasOneWriter && records.every(({ claim }) => claim === undefined))
      return await this.insertAll(images, this.knex);
    return await this.knex.transaction(async (transaction) => {
      const uuids = images.map(({ uuid }) => uuid);
      await this.dialect.lockInserts(transaction, uuids);
      const recorded = await this.insertAll(images, transaction);
      const outcomes: (Image | Error)[] = [];
      for (const [place, image] of recorded.entries())
        outcomes.push(await completeClaim(image, records[place]?.claim, transaction));
      return outcomes;
    }, this.dialect.transactions);
  }

  private async insertAll(images: readonly NewImage[], connection: Knex): Promise<readonly Image[]> {
    // Now, or the time of the newest image if that is later.
    const createdAt = connection.raw(
      `${this.dialect.greatest}(?, coalesce((select created_at from images order by id desc limit 1), 0))`,
      [this.clock.now().getTime()],
    );
    const rows = await connection<ImageColumns>(ImageRow.tableName)
      .insert(images.map((image) => ({ ...columnsOf(image), created_at: createdAt })))
      .returning('*');
    // RETURNING guarantees no order: https://sqlite.org/lang_returning.html
    const byUuid = new Map(rows.map((row) => [row.uuid, imageFromRow(row)]));
    return images.map(({ uuid }) => byUuid.get(uuid) as Image);
  }
}
