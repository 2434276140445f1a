import type { Knex } from 'knex';
import { IdempotencyKeyInUse, StorageUnavailable } from '../../../domain/errors.ts';
import type { CatalogImage, Image, NewImage } from '../../../domain/image/image.ts';
import type { NewMetadata } from '../../../domain/image/metadata.ts';
import type { Clock } from '../../../domain/ports/process/clock.ts';
import type { IdempotencyClaim } from '../../../domain/ports/records/idempotency-keys.ts';
import { attributeChanges, forgetChanges } from '../changes/recorded-changes.ts';
import { type CatalogDatabase, GroupCommit } from '../database/catalog-database.ts';
import type { SearchIndex } from '../search/search-index.ts';
import { writeHashes } from '../similar/hash-row.ts';
import { IdempotencyKeyRow } from './idempotency-key-row.ts';
import {
  columnsOf,
  type ImageColumns,
  ImageRow,
  imageFromRow,
  SWEPT_BLOBS,
  summaryFromRow,
} from './image-row.ts';

interface NewRecord {
  readonly image: NewImage;
  readonly claim: IdempotencyClaim | undefined;
  readonly metadata: NewMetadata;
  readonly by: string | undefined;
}

/** Of a record that was just inserted. */
const IS_SWEPT = `exists (select 1 from ${SWEPT_BLOBS} where ${SWEPT_BLOBS}.uuid = images.uuid) as is_swept`;

interface InsertedColumns extends ImageColumns {
  /** SQLite has numbers. */
  readonly is_swept: boolean | 0 | 1;
}

interface Inserted {
  readonly image: Image;
  readonly isSwept: boolean;
}

export class ImageRecorder {
  private readonly groups = new GroupCommit<NewRecord, CatalogImage>((records) =>
    this.recordTogether(records),
  );

  constructor(
    private readonly database: CatalogDatabase,
    private readonly clock: Clock,
    private readonly index: SearchIndex,
  ) {}

  async record(record: NewRecord): Promise<CatalogImage> {
    return await this.groups.commit(record);
  }

  private async recordTogether(records: readonly NewRecord[]): Promise<readonly (CatalogImage | Error)[]> {
    return await this.database.transaction(async (transaction) => {
      const images = records.map(({ image }) => image);
      const uuids = images.map(({ uuid }) => uuid);
      await this.database.dialect.lockInserts(transaction, uuids);
      const recorded = await this.insertAll(images, transaction);
      const made = recorded.map(({ image: { id } }, place) => ({ imageId: id, by: records[place]?.by }));
      await attributeChanges(made, this.clock.now(), this.database.dialect, transaction);
      const outcomes = await completeRecords(recorded, records, transaction);
      await this.writeHashes(outcomes, images, transaction);
      return await this.describeAll(outcomes, records, transaction);
    });
  }

  private async insertAll(images: readonly NewImage[], connection: Knex): Promise<readonly Inserted[]> {
    // Now, or the time of the newest image if that is later.
    const createdAt = connection.raw(
      `${this.database.dialect.greatest}(?, coalesce((select created_at from images order by id desc limit 1), 0))`,
      [this.clock.now().getTime()],
    );
    const rows: readonly InsertedColumns[] = await connection(ImageRow.tableName)
      .insert(images.map((image) => ({ ...columnsOf(image), created_at: createdAt })))
      .returning(['*', connection.raw(IS_SWEPT)]);
    // RETURNING guarantees no order: https://sqlite.org/lang_returning.html
    const byUuid = new Map(rows.map((row) => [row.uuid, row]));
    return images.map(({ uuid }) => insertedOf(byUuid.get(uuid) as InsertedColumns));
  }

  private async writeHashes(
    outcomes: readonly (Image | Error)[],
    images: readonly NewImage[],
    transaction: Knex,
  ): Promise<void> {
    const known = outcomes.flatMap((outcome, place) => {
      const hashes = images[place]?.hashes;
      return outcome instanceof Error || hashes === undefined ? [] : [[outcome.id, hashes] as const];
    });
    await writeHashes(new Map(known), this.database.dialect, transaction);
  }

  private async describeAll(
    outcomes: readonly (Image | Error)[],
    records: readonly NewRecord[],
    transaction: Knex,
  ): Promise<readonly (CatalogImage | Error)[]> {
    const changes = outcomes.flatMap((record, place) => {
      const metadata = records[place]?.metadata;
      if (record instanceof Error || metadata === undefined) return [];
      return [{ after: { record, metadata: { ...metadata, version: 1, updatedAt: null } } }];
    });
    const rows = await this.index.write(transaction, changes);
    const byId = new Map(rows.map((row) => [Number(row?.image_id), row]));
    return outcomes.map((outcome) => {
      const row = outcome instanceof Error ? undefined : byId.get(outcome.id);
      return row === undefined
        ? (outcome as Error)
        : { ...(outcome as Image), ...summaryFromRow({ ...row, metadata_version: row.version }) };
    });
  }
}

/** Images that are removed again leave no change behind. */
async function completeRecords(
  inserted: readonly Inserted[],
  records: readonly NewRecord[],
  transaction: Knex.Transaction,
): Promise<readonly (Image | Error)[]> {
  const outcomes: (Image | Error)[] = [];
  for (const [place, one] of inserted.entries()) {
    outcomes.push(await completeRecord(one, records[place]?.claim, transaction));
  }
  const removed = inserted.filter((_, place) => outcomes[place] instanceof Error);
  const ids = removed.map(({ image: { id } }) => id);
  await forgetChanges(ids, inserted.length + ids.length, transaction);
  return outcomes;
}

function insertedOf(row: InsertedColumns): Inserted {
  return { image: imageFromRow(row), isSwept: Boolean(row.is_swept) };
}

/** If its blob was swept or its claim is lost, removes the record, which has no metadata yet, and resolves to the error. */
async function completeRecord(
  { image, isSwept }: Inserted,
  claim: IdempotencyClaim | undefined,
  transaction: Knex,
): Promise<Image | Error> {
  if (!isSwept && (await completeClaim(image, claim, transaction))) return image;
  await ImageRow.query(transaction).deleteById(image.id);
  if (!isSwept) return new IdempotencyKeyInUse();
  return new StorageUnavailable({ cause: new Error('The blob was swept before it was recorded') });
}

/** `false` if the claim is lost. */
async function completeClaim(
  { id }: Image,
  claim: IdempotencyClaim | undefined,
  transaction: Knex,
): Promise<boolean> {
  if (claim === undefined) return true;
  const { scope, key, token } = claim;
  const held = await IdempotencyKeyRow.query(transaction)
    .patch({ image_id: id })
    .where({ scope, key, token })
    .whereNull('image_id');
  return held > 0;
}
