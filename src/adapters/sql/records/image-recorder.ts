import type { Knex } from 'knex';
import { IdempotencyKeyInUse } from '../../../domain/errors.ts';
import type { CatalogImage, Image, NewImage } from '../../../domain/image/image.ts';
import type { NewMetadata } from '../../../domain/image/metadata.ts';
import type { Clock } from '../../../domain/ports/process/clock.ts';
import type { IdempotencyClaim } from '../../../domain/ports/records/idempotency-keys.ts';
import { attributeChanges, forgetChanges } from '../changes/recorded-changes.ts';
import { type CatalogDatabase, GroupCommit } from '../database/catalog-database.ts';
import type { SearchIndex } from '../search/search-index.ts';
import { writeHashes } from '../similar/hash-row.ts';
import { IdempotencyKeyRow } from './idempotency-key-row.ts';
import { columnsOf, type ImageColumns, ImageRow, imageFromRow, summaryFromRow } from './image-row.ts';

interface NewRecord {
  readonly image: NewImage;
  readonly claim: IdempotencyClaim | undefined;
  readonly metadata: NewMetadata;
  readonly by: string | undefined;
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
      const made = recorded.map(({ id }, place) => ({ imageId: id, by: records[place]?.by }));
      await attributeChanges(made, this.clock.now(), this.database.dialect, transaction);
      const outcomes = await completeClaims(recorded, records, transaction);
      await this.writeHashes(outcomes, images, transaction);
      return await this.describeAll(outcomes, records, transaction);
    });
  }

  private async insertAll(images: readonly NewImage[], connection: Knex): Promise<readonly Image[]> {
    // Now, or the time of the newest image if that is later.
    const createdAt = connection.raw(
      `${this.database.dialect.greatest}(?, coalesce((select created_at from images order by id desc limit 1), 0))`,
      [this.clock.now().getTime()],
    );
    const rows = await connection<ImageColumns>(ImageRow.tableName)
      .insert(images.map((image) => ({ ...columnsOf(image), created_at: createdAt })))
      .returning('*');
    // RETURNING guarantees no order: https://sqlite.org/lang_returning.html
    const byUuid = new Map(rows.map((row) => [row.uuid, imageFromRow(row)]));
    return images.map(({ uuid }) => byUuid.get(uuid) as Image);
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

/** Images whose claims are lost leave no change behind. */
async function completeClaims(
  images: readonly Image[],
  records: readonly NewRecord[],
  transaction: Knex.Transaction,
): Promise<readonly (Image | Error)[]> {
  const outcomes: (Image | Error)[] = [];
  for (const [place, image] of images.entries()) {
    outcomes.push(await completeClaim(image, records[place]?.claim, transaction));
  }
  const lost = images.filter((_, place) => outcomes[place] instanceof Error).map(({ id }) => id);
  await forgetChanges(lost, images.length + lost.length, transaction);
  return outcomes;
}

/** If the claim is lost, removes the record, which has no metadata yet, and resolves to the error. */
async function completeClaim<T extends Image>(
  image: T,
  claim: IdempotencyClaim | undefined,
  transaction: Knex,
): Promise<T | Error> {
  if (claim === undefined) return image;
  const { scope, key, token } = claim;
  const held = await IdempotencyKeyRow.query(transaction)
    .patch({ image_id: image.id })
    .where({ scope, key, token })
    .whereNull('image_id');
  if (held > 0) return image;
  await ImageRow.query(transaction).deleteById(image.id);
  return new IdempotencyKeyInUse();
}

/** If a client has deleted the record already, the key stays completed and it resolves to `false`. */
export async function withdrawImage(
  id: number,
  { scope, key, token }: IdempotencyClaim,
  remove: () => Promise<ReadonlySet<number>>,
  transaction: Knex.Transaction,
): Promise<boolean> {
  const removed = await remove();
  if (removed.size === 0) return false;
  await IdempotencyKeyRow.query(transaction).delete().where({ scope, key, token, image_id: id });
  return true;
}
