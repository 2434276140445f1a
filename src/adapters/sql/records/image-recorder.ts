import type { Knex } from 'knex';
import {
  IdempotencyKeyInUse,
  NameChanged,
  QuotaExceeded,
  StorageUnavailable,
} from '../../../domain/errors.ts';
import type { CatalogImage, NewImage } from '../../../domain/image/image.ts';
import type { NewMetadata } from '../../../domain/image/metadata.ts';
import type { Clock } from '../../../domain/ports/process/clock.ts';
import type { IdempotencyClaim } from '../../../domain/ports/records/idempotency-keys.ts';
import type { NewName } from '../../../domain/ports/records/image-repository.ts';
import { isWithin } from '../../../domain/space/is-within.ts';
import { type Amount, COMMON_SPACE, type Limits, type Space } from '../../../domain/space/space.ts';
import { recordChanges } from '../changes/recorded-changes.ts';
import type { CatalogDatabase } from '../database/catalog-database.ts';
import { GroupCommit } from '../database/group-commit.ts';
import { rowsOf, sql } from '../database/sql-fragment.ts';
import { findNameRow, isExpected, type NameRow, point } from '../names/name-row.ts';
import type { MetadataRow } from '../search/metadata-row.ts';
import type { SearchIndex } from '../search/search-index.ts';
import { writeHashes } from '../similar/hash-row.ts';
import { columnsOf, IMAGES_TABLE, type ImageColumns, summaryFromRow, uuidFrom } from './image-row.ts';
import {
  changeCounters,
  Differences,
  heldIn,
  limitsOf,
  NO_DIFFERENCE,
  type SpaceRow,
  spaceIdOf,
} from './space-row.ts';
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
  /** As it was given. */
  readonly origin: NewRecord;
  readonly spaceId: number;
  /** Null in the common space. */
  readonly place: number | null;
}

interface InsertedRecord extends AdmittedRecord {
  readonly id: number;
  readonly createdAt: Date;
  /** One of its group was swept. */
  readonly mayBeSwept: boolean;
}

interface InsertedColumns extends Pick<ImageColumns, 'id' | 'blob_uuid' | 'created_at'> {
  /** SQLite has numbers. */
  readonly has_swept: boolean | 0 | 1;
}

type Outcomes = Map<NewRecord, CatalogImage | Error>;

export class ImageRecorder {
  private readonly groups = new GroupCommit<NewRecord, CatalogImage>((records) =>
    this.recordTogether(records),
  );

  /** @param limits of spaces without limits of their own */
  constructor(
    private readonly database: CatalogDatabase,
    private readonly clock: Clock,
    private readonly index: SearchIndex,
    private readonly limits: Limits,
  ) {}

  async record(record: NewRecord): Promise<CatalogImage> {
    return await this.groups.commit(record);
  }

  private async recordTogether(records: readonly NewRecord[]): Promise<readonly (CatalogImage | Error)[]> {
    const outcomes: Outcomes = new Map();
    await this.database.transaction(async (transaction) => {
      const uuids = records.map(({ image }) => image.uuid);
      await this.database.dialect.lockInserts(transaction, uuids);
      const before = await this.namedBefore(records, outcomes, transaction);
      const expected = records.filter((record) => !outcomes.has(record));
      const admitted = await this.admit(expected, outcomes, transaction);
      if (admitted.length > 0) {
        const inserted = await this.insert(admitted, transaction);
        const completed = await completeRecords(inserted, outcomes, transaction);
        await this.describe(completed, outcomes, transaction);
        await this.recordCreated(completed, transaction);
        await this.pointName(completed, before, transaction);
      }
      await this.leaveOut(outcomes, transaction);
    });
    return records.map((record) => outcomes.get(record) as CatalogImage | Error);
  }

  /** Judges the condition of a name. Resolves to its row if it is there. */
  private async namedBefore(
    records: readonly NewRecord[],
    outcomes: Outcomes,
    transaction: Knex.Transaction,
  ): Promise<NameRow | undefined> {
    const [record, ...others] = records.filter(({ name }) => name !== undefined);
    if (record?.name === undefined) return undefined;
    // Each is committed alone then, with its own row of the name.
    if (others.length > 0) throw new Error('A name may be judged by what another upload makes of it');
    await this.database.dialect.lockChanges(transaction);
    const { name, matches } = record.name;
    const row = await findNameRow(await spaceIdOf(record.space, transaction), name, transaction);
    if (!isExpected(row, matches)) outcomes.set(record, new NameChanged());
    return row;
  }

  /** @param before of the one record that has a name */
  private async pointName(
    records: readonly InsertedRecord[],
    before: NameRow | undefined,
    transaction: Knex,
  ): Promise<void> {
    for (const { id: imageId, name, spaceId, by } of records) {
      if (name === undefined) continue;
      const pointer = { spaceId, name: name.name, imageId, by, before };
      await point(pointer, this.clock.now(), transaction);
    }
  }

  /** Counts all of them at once, and judges one after the other. */
  private async admit(
    records: readonly NewRecord[],
    outcomes: Outcomes,
    transaction: Knex,
  ): Promise<readonly AdmittedRecord[]> {
    const added = new Differences();
    for (const { space, image } of records) added.add(space, amountOf(image), 1);
    const rows = await changeCounters(added, transaction);
    const rooms = new Map([...rows].map(([space, row]) => [space, this.roomBefore(row, added.get(space))]));
    return records.flatMap((record) => {
      const admitted = admitTo(rooms.get(record.space), record);
      if (admitted === undefined) outcomes.set(record, new QuotaExceeded());
      return admitted ?? [];
    });
  }

  /** Before the difference was counted. */
  private roomBefore(row: SpaceRow, difference = NO_DIFFERENCE): Room {
    const { images, bytes } = heldIn(row);
    return {
      id: row.id,
      held: { images: images - difference.images, bytes: bytes - difference.bytes },
      lastPlace: row.last_place - difference.places,
      limits: limitsOf(row, this.limits),
    };
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
      .returning(['id', 'blob_uuid', 'created_at', hasSwept(records, connection)]);
    // RETURNING guarantees no order: https://sqlite.org/lang_returning.html
    const byUuid = new Map<string, InsertedColumns>(rows.map((row) => [uuidFrom(row.blob_uuid), row]));
    return records.map((record) => {
      const { id, created_at, has_swept } = byUuid.get(record.image.uuid) as InsertedColumns;
      return { ...record, id, createdAt: new Date(created_at), mayBeSwept: Boolean(has_swept) };
    });
  }

  private async recordCreated(records: readonly InsertedRecord[], transaction: Knex): Promise<void> {
    const changes = records.map(({ id, spaceId, by }) => {
      return { type: 'image.created', imageId: id, spaceId, by } as const;
    });
    await recordChanges(changes, this.clock.now(), transaction);
  }

  private async describe(
    records: readonly InsertedRecord[],
    outcomes: Outcomes,
    transaction: Knex,
  ): Promise<void> {
    const hashes = records.flatMap(({ id, image }) => (image.hashes ? [[id, image.hashes] as const] : []));
    await writeHashes(new Map(hashes), transaction);
    const changes = records.map(({ id, spaceId, createdAt, image, metadata }) => ({
      after: {
        record: { id, spaceId, createdAt, originalName: image.originalName },
        metadata: { ...metadata, version: 1, updatedAt: null },
      },
    }));
    const rows = await this.index.write(transaction, changes);
    for (const [at, record] of records.entries()) {
      const row = rows[at] as MetadataRow;
      const { hashes: _, ...image } = record.image;
      const { id, createdAt, by } = record;
      const summary = summaryFromRow({ ...row, metadata_version: row.version });
      outcomes.set(record.origin, { ...image, id, createdAt, createdBy: by ?? null, ...summary });
    }
  }

  /** What was counted but is not recorded. */
  private async leaveOut(outcomes: Outcomes, transaction: Knex): Promise<void> {
    const errors = [...outcomes].filter(
      ([, outcome]) => outcome instanceof Error && !(outcome instanceof NameChanged),
    );
    const refused = errors.filter(([, outcome]) => outcome instanceof QuotaExceeded);
    // Each is committed alone then: one that was refused may fit without one that failed.
    if (refused.length > 0 && refused.length < errors.length) throw new Error('A refused image may fit');
    const differences = new Differences();
    for (const [{ space, image }] of errors) {
      differences.add(space, { images: -1, bytes: -image.size }, refused.length > 0 ? -1 : 0);
    }
    await changeCounters(differences, transaction);
  }
}

/** What a space holds, while a group is judged. */
interface Room {
  readonly id: number;
  held: Amount;
  lastPlace: number;
  readonly limits: Limits;
}

function amountOf({ size }: NewImage): Amount {
  return { images: 1, bytes: size };
}

/** `undefined` if there is no room. */
function admitTo(room: Room | undefined, record: NewRecord): AdmittedRecord | undefined {
  if (room === undefined) throw new TypeError('The space has no row');
  const held = { images: room.held.images + 1, bytes: room.held.bytes + record.image.size };
  const isJudged = !record.isUnlimited && (room.limits.images ?? room.limits.bytes) !== null;
  if (isJudged && !isWithin(held, room.limits)) return undefined;
  room.held = held;
  if (record.space === COMMON_SPACE) return { ...record, origin: record, spaceId: room.id, place: null };
  room.lastPlace += 1;
  return { ...record, origin: record, spaceId: room.id, place: room.lastPlace };
}

/** Resolves to those that are recorded, and removes the others, which have no metadata yet. */
async function completeRecords(
  inserted: readonly InsertedRecord[],
  outcomes: Outcomes,
  transaction: Knex,
): Promise<readonly InsertedRecord[]> {
  const doubtful = inserted.filter(({ mayBeSwept }) => mayBeSwept).map(({ image }) => image.uuid);
  const swept = doubtful.length === 0 ? NONE : await sweptAmong(doubtful, transaction);
  for (const record of inserted) {
    if (swept.has(record.image.uuid)) {
      outcomes.set(record.origin, new StorageUnavailable({ cause: SWEPT }));
    } else if (!(await completeClaim(record, transaction))) {
      outcomes.set(record.origin, new IdempotencyKeyInUse());
    }
  }
  const failed = inserted.filter(({ origin }) => outcomes.has(origin)).map(({ id }) => id);
  if (failed.length > 0) await transaction(IMAGES_TABLE).delete().whereIn('id', failed);
  return inserted.filter(({ origin }) => !outcomes.has(origin));
}

/** Whether any of the group was swept, without a statement of its own. */
function hasSwept(records: readonly AdmittedRecord[], connection: Knex): Knex.Raw {
  const uuids = records.map(({ image }) => image.uuid);
  const places = uuids.map(() => '?').join(', ');
  return connection.raw(
    `exists (select 1 from ${SWEPT_BLOBS} where ${SWEPT_BLOBS}.uuid in (${places})) as has_swept`,
    uuids,
  );
}

const NONE: ReadonlySet<string> = new Set();

async function sweptAmong(uuids: readonly string[], transaction: Knex): Promise<ReadonlySet<string>> {
  const rows: ReadonlyArray<{ readonly uuid: string }> = await transaction(SWEPT_BLOBS)
    .select('uuid')
    .whereIn('uuid', [...uuids]);
  return new Set(rows.map(({ uuid }) => uuid));
}

const SWEPT = new Error('The blob was swept before it was recorded');

/** `false` if the claim is lost. */
async function completeClaim({ id, claim, spaceId }: InsertedRecord, transaction: Knex): Promise<boolean> {
  if (claim === undefined) return true;
  const { scope, key, token } = claim;
  const completed = sql`update idempotency_keys set image_id = ${id} where space = ${spaceId} and scope = ${scope}
    and key = ${key} and lease_owner = ${token} and image_id is null returning space`;
  const held = await rowsOf(transaction, completed);
  return held.length > 0;
}
