import type { Knex } from 'knex';
import { type BlobKey, isBlobKey } from '../../../domain/image/blob-key.ts';
import type { ImageHashes } from '../../../domain/image/image-hashes.ts';
import { type ImageMetadata, NO_METADATA } from '../../../domain/image/image-metadata.ts';
import { Calendar } from '../../../domain/image/time/calendar.ts';
import type { Clock } from '../../../domain/ports/process/clock.ts';
import type {
  ImagePageQuery,
  ImageRecords,
  ImageRepository,
  ImportedImage,
  OwnedImage,
} from '../../../domain/ports/records/image-repository.ts';
import type { InSpaces } from '../../../domain/ports/records/in-spaces.ts';
import { COMMON_SPACE, type Limits, NO_LIMITS, type Space } from '../../../domain/space/space.ts';
import type { CatalogDatabase } from '../database/catalog-database.ts';
import { GroupCommit } from '../database/group-commit.ts';
import { inBatches } from '../database/in-batches.ts';
import { inSpace, inSpaceById, orderInSpace } from '../database/in-space.ts';
import { readsOfOneTurn } from '../database/reads-of-one-turn.ts';
import { allOf, listOf, orderBy, raw, rowsOf, SqlFragment, sql } from '../database/sql-fragment.ts';
import { SearchIndex } from '../metadata/search-index.ts';
import { findHashRows } from '../rows/hash-row.ts';
import {
  catalogImageFromRow,
  type OwnedColumns,
  ownedImageFromRow,
  type StoredUuid,
  selectOwnedImages,
  uuidFrom,
} from '../rows/image-columns.ts';
import { findMetadataRows, metadataFromRow } from '../rows/metadata-row.ts';
import { ImageRecorder } from './image-recorder.ts';
import { findDeletedUuid, type RemovedImage, removeImages } from './remove-images.ts';
import { requireNoneIn, restoreImages } from './restore-images.ts';
import { isSwept, markSwept, restoreUnswept } from './swept-blobs.ts';

/** Of a statement that has each of its values twice. */
const TWICE = 2;

interface UuidRow {
  readonly uuid: StoredUuid;
}

/** Of one statement: other reads wait for it. */
const IDS_AT_A_TIME = 10_000;

interface DigestRow {
  readonly sha256: Buffer;
  /** Ascending, separated by commas. */
  readonly ids: string;
}

/** In hex, with the ids in their order. */
type IdsOfDigest = readonly [digest: string, ids: readonly number[]];

export class ObjectionImageRepository implements ImageRecords {
  /** Its text is made once: a read is made for each record that is shown. */
  private readonly selectNone: SqlFragment;
  private readonly index: SearchIndex;
  private readonly recorder: ImageRecorder;
  private readonly removals = new GroupCommit<RemovedImage, boolean>((removed) =>
    this.removeTogether(removed),
  );
  private readonly finder = readsOfOneTurn<number, OwnedColumns>({
    find: (ids) => this.database.preparedRows(this.selectAmong(ids)),
    keyOf: (id) => id,
    keyOfRow: (row) => row.id,
  });

  /** @param limits of spaces without limits of their own */
  constructor(
    private readonly database: CatalogDatabase,
    private readonly clock: Clock,
    calendar = new Calendar('UTC'),
    limits: Limits = NO_LIMITS,
  ) {
    this.index = new SearchIndex(calendar);
    this.recorder = new ImageRecorder(database, clock, this.index, limits);
    const { dialect } = database;
    this.selectNone = sql`${selectOwnedImages(dialect)} where ${dialect.isAmong('images.id', [])}`;
  }

  readonly unlimited: InSpaces<ImageRepository> = { in: (space) => this.in(space, true) };

  in(space: Space, isUnlimited = false): ImageRepository {
    return {
      add: async (image, claim, described, by, name) => {
        const metadata = described ?? NO_METADATA;
        return await this.recorder.record({ space, image, claim, metadata, by, name, isUnlimited });
      },
      // Reads a row of another space as well: that costs what an unknown id costs.
      findById: async (id) => {
        const row = await this.finder.load(id);
        return row?.space_name === space ? catalogImageFromRow(row) : undefined;
      },
      removeById: async (imageId, by, to) => await this.removals.commit({ space, imageId, by, to }),
      findIdsBySha256: async (digests) => await this.findIdsIn(space, digests),
    };
  }

  async findById(id: number): Promise<OwnedImage | undefined> {
    const row = await this.finder.load(id);
    return row && ownedImageFromRow(row);
  }

  private selectAmong(ids: readonly number[]): SqlFragment {
    return new SqlFragment(this.selectNone.sql, this.database.dialect.isAmong('images.id', ids).bindings);
  }

  /** Selects the page before it joins: Postgres would join from the first row of the catalog on. */
  async findPage({ order, after, limit, space }: ImagePageQuery): Promise<readonly OwnedImage[]> {
    const { dialect } = this.database;
    const where = allOf([
      after === undefined ? undefined : sql`images.id ${raw(order === 'asc' ? '>' : '<')} ${after}`,
      space === undefined ? undefined : inSpaceById(space, 'images.space', dialect),
    ]);
    const keys = orderInSpace(space ?? COMMON_SPACE, 'images.space', ['images.id']);
    const page = sql`(select * from images where ${where} ${orderBy(keys, order)} limit ${limit}) images`;
    const rows = await this.database.rows<OwnedColumns>(
      sql`${selectOwnedImages(dialect, raw(''), page)} ${orderBy(['images.id'], order)}`,
    );
    return rows.map(ownedImageFromRow);
  }

  async count(): Promise<number> {
    return await this.database.number(sql`select sum(images) from spaces`);
  }

  private async removeTogether(removals: readonly RemovedImage[]): Promise<readonly boolean[]> {
    const { clock, index, database } = this;
    const removed = await database.change((transaction) =>
      removeImages(removals, { now: clock.now(), index }, transaction),
    );
    return removals.map((removal) => removed.has(removal));
  }

  async findDeletedUuid(id: number): Promise<BlobKey | undefined> {
    return await this.database.run(() => findDeletedUuid(id, this.clock.now(), this.database.reader));
  }

  private async findIdsIn(
    space: Space,
    digests: readonly string[],
  ): Promise<ReadonlyMap<string, readonly number[]>> {
    const asked = [...new Set(digests)].map((digest) => Buffer.from(digest, 'hex'));
    const found = await inBatches(asked, TWICE, (some) => this.findIdsAmong(space, some));
    return new Map(found.flat());
  }

  /**
   * A client may have stored the same bytes 100,000 times, so a statement reads a limited number of ids. If the first one reached the
   * limit, the digests that it found are read one by one, and it is repeated for all others, which it may have left out.
   */
  private async findIdsAmong(space: Space, digests: readonly Buffer[]): Promise<readonly IdsOfDigest[]> {
    if (digests.length === 0) return [];
    const rows = await this.database.rows<DigestRow>(this.idsBySha256(space, digests));
    const found = rows.map(
      ({ sha256, ids }) => [sha256.toString('hex'), ids.split(',').map(Number)] as const,
    );
    const total = found.reduce((sum, [, ids]) => sum + ids.length, 0);
    if (total < IDS_AT_A_TIME) return found;
    const complete: IdsOfDigest[] = [];
    for (const { sha256 } of rows) {
      complete.push([sha256.toString('hex'), await this.findIdsOf(space, sha256)]);
    }
    const others = digests.filter((digest) => !rows.some(({ sha256 }) => sha256.equals(digest)));
    return [...complete, ...(await this.findIdsAmong(space, others))];
  }

  private async findIdsOf(space: Space, digest: Buffer): Promise<readonly number[]> {
    const found: number[] = [];
    for (;;) {
      const statement = this.idsBySha256(space, [digest], found.at(-1) ?? 0);
      const [row] = await this.database.rows<DigestRow>(statement);
      const some = row === undefined ? [] : row.ids.split(',').map(Number);
      found.push(...some);
      if (some.length < IDS_AT_A_TIME) return found;
    }
  }

  /**
   * By an index of the first bytes, which tell digests apart. One row for each digest: a row for each of thousands of images with the same
   * bytes would hold the event loop. After an ANALYZE of many equal images, SQLite would read all images in the order of their ids instead.
   *
   * @param after only ids above this one, in their order; by default any ids
   */
  private idsBySha256(space: Space, digests: readonly Buffer[], after?: number): SqlFragment {
    const beginnings = listOf(digests.map((digest) => digest.subarray(0, 8)));
    const first = after === undefined ? raw('') : sql`and id > ${after} order by id`;
    const images = this.database.dialect.byIndex('images', 'images_space_sha256_index');
    return sql`select sha256, string_agg(cast(id as text), ',' order by id) as ids from (select sha256, id from ${images}
      where ${inSpace(space, 'space')} and substr(sha256, 1, 8) in (${beginnings}) and sha256 in (${listOf(digests)})
      ${first} limit ${IDS_AT_A_TIME}) found group by sha256`;
  }

  async findUuidsAmong(uuids: readonly string[]): Promise<ReadonlySet<string>> {
    // Postgres refuses to compare a UUID with anything else.
    const asked = uuids.filter(isBlobKey);
    const found = await inBatches(asked, TWICE, (some) =>
      this.database.rows<UuidRow>(this.recordedAmong(some)),
    );
    return new Set(found.flat().map(({ uuid }) => uuidFrom(uuid)));
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
    const { index, database } = this;
    await restoreUnswept(images, database, async (transaction) => {
      await requireNoneIn('trashed_images', images, transaction);
      await restoreImages(images, index, transaction);
    });
  }

  async findMetadata(ids: readonly number[]): Promise<ReadonlyMap<number, ImageMetadata>> {
    const rows = await this.database.run(() => findMetadataRows(ids, this.database.reader));
    return new Map([...rows].map(([id, row]) => [id, metadataFromRow(row)]));
  }

  async findHashes(ids: readonly number[]): Promise<ReadonlyMap<number, ImageHashes>> {
    return await this.database.run(() => findHashRows(ids, this.database.reader));
  }

  async highestId(): Promise<number> {
    return await this.database.highestId('images');
  }

  async reserveIds(upTo: number): Promise<void> {
    await this.database.transaction(async (transaction) => {
      await this.database.dialect.lockRestores(transaction);
      await this.database.dialect.raiseIds(transaction, 'images', upTo);
    });
  }

  async ping({ forChanges }: { readonly forChanges: boolean }): Promise<void> {
    await this.database.write(forChanges ? this.database.dialect.requireWritable : sql`select 1`);
  }

  private async isRecorded(uuid: string, transaction: Knex.Transaction): Promise<boolean> {
    return (await rowsOf<UuidRow>(transaction, this.recordedAmong([uuid]))).length > 0;
  }

  /** One statement: an image that moves to or from the trash meanwhile is in one of the tables. */
  private recordedAmong(uuids: readonly string[]): SqlFragment {
    const all = listOf(uuids.map((uuid) => this.database.dialect.storedUuid(uuid)));
    return sql`select blob_uuid as uuid from images where blob_uuid in (${all})
      union all select uuid from trashed_images where uuid in (${all})`;
  }
}
