import DataLoader from 'dataloader';
import type { Knex } from 'knex';
import { StorageUnavailable } from '../../../domain/errors.ts';
import { type BlobKey, isBlobKey } from '../../../domain/image/blob-key.ts';
import type { CatalogImage, NewImage } from '../../../domain/image/image.ts';
import type { ImageHashes } from '../../../domain/image/image-hashes.ts';
import { type ImageMetadata, type NewMetadata, NO_METADATA } from '../../../domain/image/metadata.ts';
import { Calendar } from '../../../domain/image/time/calendar.ts';
import type { Clock } from '../../../domain/ports/process/clock.ts';
import type { IdempotencyClaim } from '../../../domain/ports/records/idempotency-keys.ts';
import type {
  ImagePageQuery,
  ImageRecords,
  ImportedImage,
} from '../../../domain/ports/records/image-repository.ts';
import type { MadeChange } from '../changes/recorded-changes.ts';
import { CatalogDatabase, GroupCommit } from '../database/catalog-database.ts';
import { findMetadataRows, METADATA_TABLE, metadataFromRow } from '../search/metadata-row.ts';
import { SearchIndex } from '../search/search-index.ts';
import { findHashRows } from '../similar/hash-row.ts';
import { ImageRecorder } from './image-recorder.ts';
import {
  CATALOG_COLUMNS,
  type CatalogColumns,
  catalogImageFromRow,
  type ImageColumns,
  type ImageReads,
  ImageRow,
} from './image-row.ts';
import { findDeletedUuid, removeImages } from './remove-images.ts';
import { restoreImages } from './restore-images.ts';
import { forgetSwept, isSwept, markSwept } from './swept-blobs.ts';

/** Below SQLite's historical limit of 999 variables. */
const VALUES_PER_STATEMENT = 500;

const MAX_READ_SIZE = 64;

/** Reads by id of one turn of the event loop share one statement: the round trip costs more than finding a row. */
export class ObjectionImageRepository implements ImageRecords {
  private readonly database: CatalogDatabase;
  private readonly rows: typeof ImageRow;
  private readonly rowsRead: typeof ImageRow;
  private readonly reads: ImageReads;
  private readonly index: SearchIndex;
  private readonly recorder: ImageRecorder;
  private readonly removals = new GroupCommit<MadeChange, boolean>((removed) => this.removeTogether(removed));
  private readonly finder = new DataLoader<number, CatalogColumns | undefined>((ids) => this.findAll(ids), {
    cache: false,
    maxBatchSize: MAX_READ_SIZE,
    batchScheduleFn: setImmediate,
  });

  constructor(
    private readonly knex: Knex,
    private readonly clock: Clock,
    reads?: ImageReads,
    reader: Knex = knex,
    calendar = new Calendar('UTC'),
  ) {
    this.database = new CatalogDatabase(knex, reader);
    this.index = new SearchIndex(this.database.dialect, calendar);
    this.recorder = new ImageRecorder(this.database, clock, this.index);
    this.rows = ImageRow.bindKnex(knex);
    this.rowsRead = ImageRow.bindKnex(reader);
    this.reads = reads ?? {
      findAllById: async (ids): Promise<readonly CatalogColumns[]> =>
        await this.catalogRows().whereIn('images.id', [...ids]),
    };
  }

  async add(
    image: NewImage,
    claim?: IdempotencyClaim,
    metadata: NewMetadata = NO_METADATA,
    by?: string,
  ): Promise<CatalogImage> {
    return await this.recorder.record({ image, claim, metadata, by });
  }

  async findById(id: number): Promise<CatalogImage | undefined> {
    const row = await this.finder.load(id);
    return row && catalogImageFromRow(row);
  }

  private async findAll(ids: readonly number[]): Promise<readonly (CatalogColumns | undefined)[]> {
    const rows = await this.database.run(() => this.reads.findAllById(ids));
    const byId = new Map(rows.map((row) => [row.id, row]));
    return ids.map((id) => byId.get(id));
  }

  async findPage({ order, after, limit }: ImagePageQuery): Promise<readonly CatalogImage[]> {
    const rows: readonly CatalogColumns[] = await this.database.run(() =>
      this.catalogRows()
        .modify((query) => {
          if (after !== undefined) void query.where('id', order === 'asc' ? '>' : '<', after);
        })
        .orderBy('id', order)
        .limit(limit),
    );
    return rows.map(catalogImageFromRow);
  }

  /** Plain rows without models: a listing may read the whole catalog. */
  private catalogRows(): Knex.QueryBuilder {
    return this.rowsRead
      .knexQuery()
      .select(CATALOG_COLUMNS)
      .leftJoin(METADATA_TABLE, 'image_metadata.image_id', 'images.id');
  }

  async count(): Promise<number> {
    const [row] = await this.database.run(() => this.rowsRead.knexQuery().count({ total: '*' }));
    return Number(row?.total);
  }

  async removeById(id: number, by?: string): Promise<boolean> {
    return await this.removals.commit({ imageId: id, by });
  }

  /** The first of several requests for one image gets `true`. */
  private async removeTogether(removals: readonly MadeChange[]): Promise<readonly boolean[]> {
    const { clock, index, database } = this;
    const removed = await database.change((transaction) =>
      removeImages(removals, { now: clock.now(), index, dialect: database.dialect }, transaction),
    );
    const ids = removals.map(({ imageId }) => imageId);
    return ids.map((id, place) => removed.has(id) && ids.indexOf(id) === place);
  }

  async findDeletedUuid(id: number): Promise<BlobKey | undefined> {
    return await this.database.run(() => findDeletedUuid(id, this.clock.now(), this.rowsRead.knex()));
  }

  async findIdsBySha256(digests: readonly string[]): Promise<ReadonlyMap<string, readonly number[]>> {
    const asked = [...new Set(digests)];
    const found = new Map<string, number[]>();
    for (let start = 0; start < asked.length; start += VALUES_PER_STATEMENT) {
      const some = asked.slice(start, start + VALUES_PER_STATEMENT);
      for (const { sha256, id } of await this.database.run(() => this.idsBySha256(some))) {
        const ids = found.get(sha256);
        if (ids === undefined) found.set(sha256, [id]);
        else ids.push(id);
      }
    }
    return found;
  }

  async findUuidsAmong(uuids: readonly string[]): Promise<ReadonlySet<string>> {
    // Postgres refuses to compare a UUID with anything else.
    const asked = uuids.filter(isBlobKey);
    const found = new Set<string>();
    for (let start = 0; start < asked.length; start += VALUES_PER_STATEMENT) {
      const some = asked.slice(start, start + VALUES_PER_STATEMENT);
      const rows = await this.database.run(() => this.rowsRead.query().select('uuid').whereIn('uuid', some));
      for (const row of rows) found.add(row.uuid);
    }
    return found;
  }

  async mayBeRecorded(uuid: string): Promise<boolean> {
    if (!isBlobKey(uuid)) return false;
    return await this.database.transaction(async (transaction) => {
      if (await this.database.dialect.mayBeUnderWay(transaction, uuid)) return true;
      return await this.isRecorded(uuid, transaction);
    });
  }

  /** The mark is committed before the removal begins: with both in one transaction, it could be lost after the blob. */
  async removeUnrecorded(uuid: string, remove: () => Promise<void>): Promise<boolean> {
    await this.whileNotRecording(uuid, async (transaction) => {
      if (!(await this.isRecorded(uuid, transaction))) await markSwept(uuid, transaction);
    });
    return await this.whileNotRecording(uuid, async (transaction) => {
      // There is none if it is recorded, or if a restore has made it free again.
      if (!(await isSwept(uuid, transaction))) return false;
      await remove();
      return true;
    });
  }

  private async whileNotRecording<T>(
    uuid: string,
    work: (transaction: Knex.Transaction) => Promise<T>,
  ): Promise<T> {
    return await this.database.transaction(async (transaction) => {
      await this.database.dialect.lockRecording(transaction, uuid);
      return await work(transaction);
    });
  }

  async restore(images: readonly ImportedImage[]): Promise<void> {
    if (images.length === 0) return;
    const { index } = this;
    const { dialect } = this.database;
    const swept = await this.database.transaction(async (transaction) => {
      await dialect.lockRestores(transaction);
      const forgotten = await forgetSwept(images, transaction);
      if (forgotten > 0) return forgotten;
      await restoreImages(images, { index, dialect }, transaction);
      await dialect.raiseIds(transaction, Math.max(...images.map(({ id }) => id)));
      return 0;
    });
    // The transaction has ended, so that the next attempt succeeds.
    if (swept > 0) throw new StorageUnavailable({ cause: new Error(`${swept} blobs were swept`) });
  }

  async findMetadata(ids: readonly number[]): Promise<ReadonlyMap<number, ImageMetadata>> {
    const rows = await this.database.run(() => findMetadataRows(ids, this.rowsRead.knex()));
    return new Map([...rows].map(([id, row]) => [id, metadataFromRow(row)]));
  }

  async findHashes(ids: readonly number[]): Promise<ReadonlyMap<number, ImageHashes>> {
    return await this.database.run(() => findHashRows(ids, this.rowsRead.knex()));
  }

  async highestId(): Promise<number> {
    return await this.database.run(() => this.database.dialect.highestId(this.knex));
  }

  async reserveIds(upTo: number): Promise<void> {
    await this.database.transaction(async (transaction) => {
      await this.database.dialect.lockRestores(transaction);
      await this.database.dialect.raiseIds(transaction, upTo);
    });
  }

  async ping(): Promise<void> {
    await this.database.run(() => this.knex.raw('select 1'));
  }

  private async idsBySha256(
    digests: readonly string[],
  ): Promise<readonly Pick<ImageColumns, 'sha256' | 'id'>[]> {
    return await this.rowsRead
      .knexQuery()
      .select('sha256', 'id')
      .whereIn('sha256', [...digests])
      .orderBy(['sha256', 'id']);
  }

  private async isRecorded(uuid: string, transaction: Knex.Transaction): Promise<boolean> {
    return (await this.rows.query(transaction).findOne({ uuid })) !== undefined;
  }
}
