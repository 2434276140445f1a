import DataLoader from 'dataloader';
import type { Knex } from 'knex';
import { IdempotencyKeyInUse, RecordConflict, StorageUnavailable } from '../../domain/errors.ts';
import type { Image, NewImage } from '../../domain/image/image.ts';
import type { Clock } from '../../domain/ports/clock.ts';
import type { IdempotencyClaim } from '../../domain/ports/idempotency-keys.ts';
import type { ImageFilter, ImagePageQuery, ImageRecords } from '../../domain/ports/image-repository.ts';
import { translatingDatabaseErrors } from './database-errors.ts';
import { dialectOf } from './dialect-of.ts';
import { IdempotencyKeyRow } from './idempotency-key-row.ts';
import { columnsOf, type ImageColumns, ImageRow, imageFromRow } from './image-row.ts';
import { inBatches } from './in-batches.ts';
import type { SqlDialect } from './sql-dialect.ts';

/** UUIDs looked up per statement: below SQLite's historical limit of 999 variables. */
const UUIDS_PER_STATEMENT = 500;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The read that nearly every request makes, for an engine that has a faster way. */
export interface ImageReads {
  /** The rows with these ids, in no order. */
  findAllById(ids: readonly number[]): Promise<readonly ImageColumns[]>;
}

interface NewRecord {
  readonly image: NewImage;
  readonly claim: IdempotencyClaim | undefined;
}

/** Images recorded in one transaction. */
const MAX_GROUP_SIZE = 32;

/** Rows read by one statement, and turned into objects in one go. */
const MAX_READ_SIZE = 64;

/**
 * The catalog's records on SQLite or Postgres.
 *
 * Images that come while others are being recorded wait for those and are then recorded in one transaction ("group
 * commit"): they share its sync of the disk and, on Postgres, its lock and its round trips. Each is still acknowledged only
 * after the transaction that it is in; who comes alone waits for nobody.
 *
 * Images that are asked for in one turn of the event loop are read by one statement: the trip to the database and back costs
 * more than finding a row.
 */
export class ObjectionImageRepository implements ImageRecords {
  private readonly dialect: SqlDialect;
  private readonly rows: typeof ImageRow;
  private readonly rowsRead: typeof ImageRow;
  private readonly reads: ImageReads;
  private groupUnderWay: Promise<unknown> = Promise.resolve();
  private readonly recorder = new DataLoader<NewRecord, Image>(
    (records) => {
      // Of several groups that have waited for the same one, each waits for the one before it.
      const group = this.groupUnderWay.then(() => this.recordAll(records));
      this.groupUnderWay = group.catch(() => undefined);
      return group;
    },
    {
      cache: false,
      maxBatchSize: MAX_GROUP_SIZE,
      batchScheduleFn: (begin) => void this.groupUnderWay.then(begin),
    },
  );
  private readonly finder = new DataLoader<number, ImageColumns | undefined>((ids) => this.findAll(ids), {
    cache: false,
    maxBatchSize: MAX_READ_SIZE,
    batchScheduleFn: setImmediate,
  });

  /**
   * @param reads in place of this class's own
   * @param reader connections for whatever only reads, where it should not wait for what is written
   */
  constructor(
    private readonly knex: Knex,
    private readonly clock: Clock,
    reads?: ImageReads,
    reader: Knex = knex,
  ) {
    this.dialect = dialectOf(knex);
    this.rows = ImageRow.bindKnex(knex);
    this.rowsRead = ImageRow.bindKnex(reader);
    this.reads = reads ?? { findAllById: async (ids) => await this.rowsRead.query().findByIds([...ids]) };
  }

  async add(image: NewImage, claim?: IdempotencyClaim): Promise<Image> {
    return await this.recorder.load({ image, claim });
  }

  /** @returns for each in its place the image, or why there is none */
  private async recordAll(records: readonly NewRecord[]): Promise<readonly (Image | Error)[]> {
    try {
      return await this.translating(() => this.recordTogether(records));
    } catch (error) {
      if (records.length === 1 || error instanceof StorageUnavailable) throw error;
      // Of one that the database does not take, the others are not to hear.
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
    return await this.inTransaction(async (transaction) => {
      const uuids = images.map(({ uuid }) => uuid);
      await this.dialect.lockInserts(transaction, uuids);
      const recorded = await this.insertAll(images, transaction);
      const outcomes: (Image | Error)[] = [];
      for (const [place, image] of recorded.entries())
        outcomes.push(await completed(image, records[place]?.claim, transaction));
      return outcomes;
    });
  }

  /** Resolves to the images in the order given. */
  private async insertAll(images: readonly NewImage[], connection: Knex): Promise<readonly Image[]> {
    // Now, or the time of the newest image where that is later.
    const createdAt = connection.raw(
      `${this.dialect.greatest}(?, coalesce((select created_at from images order by id desc limit 1), 0))`,
      [this.clock.now().getTime()],
    );
    const rows = await connection<ImageColumns>(ImageRow.tableName)
      .insert(images.map((image) => ({ ...columnsOf(image), created_at: createdAt })))
      .returning('*');
    // Which comes first is not promised: https://sqlite.org/lang_returning.html
    const byUuid = new Map(rows.map((row) => [row.uuid, imageFromRow(row)]));
    return images.map(({ uuid }) => byUuid.get(uuid) as Image);
  }

  async findById(id: number): Promise<Image | undefined> {
    const row = await this.finder.load(id);
    return row && imageFromRow(row);
  }

  private async findAll(ids: readonly number[]): Promise<readonly (ImageColumns | undefined)[]> {
    const rows = await this.translating(() => this.reads.findAllById(ids));
    const byId = new Map(rows.map((row) => [Number(row.id), row]));
    return ids.map((id) => byId.get(id));
  }

  async findPage({ filter, order, after, limit }: ImagePageQuery): Promise<readonly Image[]> {
    const rows: readonly ImageColumns[] = await this.translating(() =>
      // Plain rows: a listing may read all of the catalog, and models are for single ones.
      this.rowsRead
        .knexQuery()
        .modify((query) => {
          applyFilter(query, filter);
          if (after !== undefined) void query.where('id', order === 'asc' ? '>' : '<', after);
        })
        .orderBy('id', order)
        .limit(limit),
    );
    return rows.map(imageFromRow);
  }

  async count(filter: ImageFilter): Promise<number> {
    const [row] = await this.translating(() =>
      this.rowsRead
        .knexQuery()
        .modify((query) => applyFilter(query, filter))
        .count({ total: '*' }),
    );
    return Number(row?.total);
  }

  async removeById(id: number, claim?: IdempotencyClaim): Promise<boolean> {
    return await this.translating(async () => {
      if (claim === undefined) return (await this.rows.query().deleteById(id)) > 0;
      return await this.inTransaction((transaction) => withdraw(id, claim, transaction));
    });
  }

  async findUuidsAmong(uuids: readonly string[]): Promise<ReadonlySet<string>> {
    const asked = uuids.filter(isUuid);
    const found = new Set<string>();
    for (let start = 0; start < asked.length; start += UUIDS_PER_STATEMENT) {
      const some = asked.slice(start, start + UUIDS_PER_STATEMENT);
      const rows = await this.translating(() => this.rowsRead.query().select('uuid').whereIn('uuid', some));
      for (const row of rows) found.add(row.uuid);
    }
    return found;
  }

  async mayBeRecorded(uuid: string): Promise<boolean> {
    if (!isUuid(uuid)) return false;
    return await this.translating(() =>
      this.inTransaction(async (transaction) => {
        if (await this.dialect.mayBeUnderWay(transaction, uuid)) return true;
        return await this.isRecorded(uuid, transaction);
      }),
    );
  }

  async removeUnrecorded(uuid: string, remove: () => Promise<void>): Promise<boolean> {
    return await this.translating(() =>
      this.inTransaction(async (transaction) => {
        await this.dialect.lockRecording(transaction, uuid);
        if (await this.isRecorded(uuid, transaction)) return false;
        await remove();
        return true;
      }),
    );
  }

  async restore(images: readonly Image[]): Promise<void> {
    if (images.length === 0) return;
    await this.translating(() =>
      this.inTransaction(async (transaction) => {
        await this.dialect.lockRestores(transaction);
        await inBatches(images, (some) => restoreSome(some, this.rows.bindTransaction(transaction)));
        await this.dialect.raiseIds(transaction, Math.max(...images.map(({ id }) => id)));
      }),
    );
  }

  async highestId(): Promise<number> {
    return await this.translating(() => this.dialect.highestId(this.knex));
  }

  async reserveIds(upTo: number): Promise<void> {
    await this.translating(() =>
      this.inTransaction(async (transaction) => {
        await this.dialect.lockRestores(transaction);
        await this.dialect.raiseIds(transaction, upTo);
      }),
    );
  }

  async ping(): Promise<void> {
    await this.translating(() => this.knex.raw('select 1'));
  }

  private async isRecorded(uuid: string, transaction: Knex.Transaction): Promise<boolean> {
    return (await this.rows.query(transaction).findOne({ uuid })) !== undefined;
  }

  private async inTransaction<T>(work: (transaction: Knex.Transaction) => Promise<T>): Promise<T> {
    return await this.knex.transaction(work, this.dialect.transactions);
  }

  private async translating<T>(call: () => PromiseLike<T>): Promise<T> {
    return await translatingDatabaseErrors(this.dialect, call);
  }
}

/** Nothing else is ever recorded, and Postgres refuses to compare one with it. */
function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** Those that conflict are left out at first, and then looked at: an image that is there already conflicts with itself. */
async function restoreSome(images: readonly Image[], rows: typeof ImageRow): Promise<void> {
  const given = images.map((image) => ({
    ...columnsOf(image),
    id: image.id,
    created_at: image.createdAt.getTime(),
  }));
  const inserted: ReadonlyArray<Pick<ImageColumns, 'id'>> = await rows
    .knexQuery()
    .insert(given)
    .onConflict()
    .ignore()
    .returning('id');
  const insertedIds = new Set(inserted.map(({ id }) => Number(id)));
  await requireRecorded(
    images.filter(({ id }) => !insertedIds.has(id)),
    rows,
  );
}

/** @throws {RecordConflict} */
async function requireRecorded(images: readonly Image[], rows: typeof ImageRow): Promise<void> {
  if (images.length === 0) return;
  const ids = images.map(({ id }) => id);
  const found = await rows.query().select('id', 'uuid').whereIn('id', ids);
  const uuids = new Map(found.map(({ id, uuid }) => [Number(id), uuid]));
  const conflicts = images.filter(({ id, uuid }) => uuids.get(id) !== uuid);
  if (conflicts.length > 0) throw new RecordConflict(conflicts.map(({ id }) => id));
}

/** The image with its claim completed or, where the claim is not held any more, neither of them. */
async function completed(
  image: Image,
  claim: IdempotencyClaim | undefined,
  transaction: Knex.Transaction,
): Promise<Image | Error> {
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

/** Undoes `completed`. If the record is gone already, a client has deleted it, and the key stays. */
async function withdraw(
  id: number,
  { scope, key, token }: IdempotencyClaim,
  transaction: Knex.Transaction,
): Promise<boolean> {
  if ((await ImageRow.query(transaction).deleteById(id)) === 0) return false;
  await IdempotencyKeyRow.query(transaction).delete().where({ scope, key, token, image_id: id });
  return true;
}

function applyFilter(
  query: Knex.QueryBuilder,
  { mediaType, sha256, createdAfter, createdBefore }: ImageFilter,
): void {
  if (sha256 !== undefined) void query.where('sha256', sha256);
  if (mediaType !== undefined && sha256 === undefined) void query.where('media_type', mediaType);
  if (mediaType !== undefined && sha256 !== undefined) void query.whereRaw(MEDIA_TYPE_UNINDEXED, [mediaType]);
  if (createdAfter !== undefined) void query.whereRaw(CREATED_AFTER, [createdAfter.getTime()]);
  if (createdBefore !== undefined) void query.whereRaw(CREATED_BEFORE, [createdBefore.getTime()]);
}

// A hash leaves a handful of rows and a media type half of the catalog. Without statistics SQLite may take the index of
// either; the expression leaves it that of the hash.
const MEDIA_TYPE_UNINDEXED = "media_type || '' = ?";

// Times never run against ids (see `add`), so a bound on the time is a bound on the id, found with one index seek.
// Pages are read in id order: bounding the id keeps them at the same cost wherever in time they are.
const CREATED_AFTER =
  'id > coalesce((select id from images where created_at <= ? order by created_at desc, id desc limit 1), 0)';
const CREATED_BEFORE =
  'id < coalesce((select id from images where created_at >= ? order by created_at, id limit 1), 9223372036854775807)';
