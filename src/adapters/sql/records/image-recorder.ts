import type { Knex } from 'knex';
import {
  IdempotencyKeyInUse,
  NameChanged,
  PublishingRefused,
  QuotaExceeded,
  StorageUnavailable,
} from '../../../domain/errors.ts';
import type { CatalogImage, NewImage } from '../../../domain/image/image.ts';
import type { NewMetadata } from '../../../domain/image/image-metadata.ts';
import { summaryOf } from '../../../domain/image/summary-of.ts';
import type { Clock } from '../../../domain/ports/process/clock.ts';
import type { IdempotencyClaim } from '../../../domain/ports/records/idempotency-keys.ts';
import type { NewName } from '../../../domain/ports/records/image-repository.ts';
import { isWithin } from '../../../domain/space/is-within.ts';
import type { Limits, Space } from '../../../domain/space/space.ts';
import { recordChanges } from '../changes/record-changes.ts';
import type { CatalogDatabase } from '../database/catalog-database.ts';
import { GroupCommit } from '../database/group-commit.ts';
import { RejectedRequest } from '../database/rejected-request.ts';
import { rowsOf, sql } from '../database/sql-fragment.ts';
import type { SearchIndex } from '../metadata/search-index.ts';
import { findNameRow, isExpected, isPublished, type NewPointer, point } from '../names/name-row.ts';
import { writeHashes } from '../rows/hash-row.ts';
import { columnsOf, IMAGES_TABLE, type ImageColumns, uuidFrom } from '../rows/image-columns.ts';
import { type MetadataRow, metadataFromRow } from '../rows/metadata-row.ts';
import {
  changeCounters,
  Differences,
  heldIn,
  limitsOf,
  type SpaceRow,
  spaceIdOf,
  takenPlaces,
} from '../rows/space-row.ts';
import { SWEPT_BLOBS } from './swept-blobs.ts';

interface NewRecord {
  readonly space: Space;
  readonly image: NewImage;
  readonly claim: IdempotencyClaim | undefined;
  readonly metadata: NewMetadata;
  readonly by: string | undefined;
  readonly name: NewName | undefined;
  /** Whatever the limits of the space. */
  readonly isUnlimited: boolean;
}

/** A record for which its space has room. */
interface AdmittedRecord extends NewRecord {
  readonly spaceId: number;
  /** Null in the common space. */
  readonly place: number | null;
}

/** What a name is before the record, and whether it will be public. */
type JudgedName = Pick<NewPointer, 'before' | 'isPublic'>;

interface InsertedRecord extends AdmittedRecord {
  readonly id: number;
  readonly createdAt: Date;
}

interface InsertedColumns extends Pick<ImageColumns, 'id' | 'blob_uuid' | 'created_at'> {
  /** UUIDs of the group that were swept, in one text; null if there are none. */
  readonly swept: string | null;
}

export class ImageRecorder {
  private readonly groups = new GroupCommit<NewRecord, CatalogImage>((records) => this.recordAll(records));

  /** @param limits of spaces without limits of their own */
  constructor(
    private readonly database: CatalogDatabase,
    private readonly clock: Clock,
    private readonly index: SearchIndex,
    private readonly limits: Limits,
  ) {}

  async record(record: NewRecord): Promise<CatalogImage> {
    // The condition of a name is judged by what is committed.
    return record.name === undefined
      ? await this.groups.commit(record)
      : await this.groups.commitAlone(record);
  }

  /** @throws {RejectedRequest} for the first that cannot be recorded */
  private async recordAll(records: readonly NewRecord[]): Promise<readonly CatalogImage[]> {
    return await this.database.transaction(async (transaction) => {
      const uuids = records.map(({ image }) => image.uuid);
      await this.database.dialect.lockInserts(transaction, uuids);
      const judged = await this.judgeName(records, transaction);
      const admitted = await this.admit(records, transaction);
      const inserted = await this.insert(admitted, transaction);
      await completeClaims(inserted, transaction);
      const images = await this.describe(inserted, transaction);
      const changes = inserted.map(({ id, spaceId, by }) => {
        return { type: 'image.created', imageId: id, spaceId, by } as const;
      });
      await recordChanges(changes, this.clock.now(), transaction);
      await this.pointName(inserted, judged, transaction);
      return images;
    });
  }

  /** A record with a name is alone. */
  private async judgeName(
    [record]: readonly NewRecord[],
    transaction: Knex.Transaction,
  ): Promise<JudgedName | undefined> {
    if (record?.name === undefined) return undefined;
    await this.database.dialect.lockChanges(transaction);
    const { name, matches, mayPublish } = record.name;
    const before = await findNameRow(await spaceIdOf(record.space, transaction), name, transaction);
    if (!isExpected(before, matches)) throw new RejectedRequest(0, new NameChanged());
    const isPublic = record.name.isPublic ?? isPublished(before);
    if (isPublic && mayPublish !== true) throw new RejectedRequest(0, new PublishingRefused());
    return { before, isPublic };
  }

  private async pointName(
    [record]: readonly InsertedRecord[],
    judged: JudgedName | undefined,
    transaction: Knex,
  ): Promise<void> {
    if (record?.name === undefined || judged === undefined) return;
    const { id: imageId, name, spaceId, by } = record;
    await point({ ...judged, spaceId, name: name.name, imageId, by }, this.clock.now(), transaction);
  }

  /** Counts all of them at once, and judges one after the other. */
  private async admit(records: readonly NewRecord[], transaction: Knex): Promise<readonly AdmittedRecord[]> {
    const added = new Differences();
    for (const { space, image } of records) added.add(space, { images: 1, bytes: image.size }, 1);
    const rows = await changeCounters(added, transaction);
    const placeIn = takenPlaces(rows, added);
    return records.map((record, at) => {
      const { space, image } = record;
      const row = rows.get(space) as SpaceRow;
      // What is left is of the records behind this one.
      added.add(space, { images: -1, bytes: -image.size });
      const [all, behind] = [heldIn(row), added.in(space)];
      const held = { images: all.images - behind.images, bytes: all.bytes - behind.bytes };
      if (!record.isUnlimited && !isWithin(held, limitsOf(row, this.limits))) {
        throw new RejectedRequest(at, new QuotaExceeded());
      }
      return { ...record, spaceId: row.id, place: placeIn(space) };
    });
  }

  private async insert(
    records: readonly AdmittedRecord[],
    connection: Knex,
  ): Promise<readonly InsertedRecord[]> {
    const { dialect } = this.database;
    // Now, or the time of the newest image if that is later.
    const createdAt = connection.raw(
      `${dialect.greatest}(?, coalesce((select created_at from images order by id desc limit 1), 0))`,
      [this.clock.now().getTime()],
    );
    const rows: readonly InsertedColumns[] = await connection(IMAGES_TABLE)
      .insert(
        records.map(({ image, spaceId, place, by }) => ({
          ...columnsOf(image, dialect),
          space: spaceId,
          place,
          created_by: by ?? null,
          created_at: createdAt,
        })),
      )
      .returning(['id', 'blob_uuid', 'created_at', sweptAmong(records, connection)]);
    const swept = rows[0]?.swept ?? '';
    const at = records.findIndex(({ image }) => swept.includes(image.uuid));
    if (at >= 0) throw new RejectedRequest(at, new StorageUnavailable({ cause: SWEPT }));
    // RETURNING guarantees no order: https://sqlite.org/lang_returning.html
    const byUuid = new Map<string, InsertedColumns>(rows.map((row) => [uuidFrom(row.blob_uuid), row]));
    return records.map((record) => {
      const { id, created_at } = byUuid.get(record.image.uuid) as InsertedColumns;
      return { ...record, id, createdAt: new Date(created_at) };
    });
  }

  private async describe(
    records: readonly InsertedRecord[],
    transaction: Knex,
  ): Promise<readonly CatalogImage[]> {
    const hashes = records.map(({ id, image }) => [id, image.hashes] as const);
    await writeHashes(hashes, transaction);
    const changes = records.map(({ id, spaceId, createdAt, image, metadata }) => ({
      after: {
        record: { id, spaceId, createdAt, originalName: image.originalName },
        metadata: { ...metadata, version: 1, updatedAt: null },
      },
    }));
    const rows = await this.index.write(transaction, changes);
    return records.map((record, at) => {
      const { id, createdAt, by } = record;
      const { hashes: _, ...image } = record.image;
      const summary = summaryOf(metadataFromRow(rows[at] as MetadataRow));
      return { ...image, id, createdAt, createdBy: by ?? null, ...summary };
    });
  }
}

/** @throws {RejectedRequest} for the first whose claim is lost */
async function completeClaims(records: readonly InsertedRecord[], transaction: Knex): Promise<void> {
  for (const [at, { id, claim, spaceId }] of records.entries()) {
    if (claim === undefined) continue;
    const { scope, key, token } = claim;
    const completed = sql`update idempotency_keys set image_id = ${id} where space = ${spaceId} and scope = ${scope}
      and key = ${key} and lease_owner = ${token} and image_id is null returning space`;
    const held = await rowsOf(transaction, completed);
    if (held.length === 0) throw new RejectedRequest(at, new IdempotencyKeyInUse());
  }
}

/** A column: those of the group, without a statement of its own. */
function sweptAmong(records: readonly AdmittedRecord[], connection: Knex): Knex.Raw {
  const uuids = records.map(({ image }) => image.uuid);
  const places = uuids.map(() => '?').join(', ');
  return connection.raw(
    `(select string_agg(cast(uuid as text), ',') from ${SWEPT_BLOBS} where uuid in (${places})) as swept`,
    uuids,
  );
}

const SWEPT = new Error('The blob was swept before it was recorded');
