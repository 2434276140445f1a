import { randomBytes } from 'node:crypto';
import { access, constants, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { migrationSource } from '../../../migrations/migration-source.ts';
import { isNotFound } from '../../adapters/filesystem/file-system-errors.ts';
import { DevelopmentCatalog } from '../../adapters/sql/database/schema-of.ts';
import { CatalogTooNew } from '../../domain/errors.ts';
import { type BlobKey, parseBlobKey } from '../../domain/image/blob-key.ts';
import type { BlobStorage } from '../../domain/ports/bytes/blob-store.ts';
import { inMemory } from '../../domain/ports/bytes/readable-bytes.ts';
import type { CatalogStorage } from '../catalog-storage.ts';
import type { StorageConfig } from '../config/config.ts';
import { prepareStaging, requireOwnBlobs } from '../start/prepare-storage.ts';
import { type CheckResult, messageOf, ok, problem, warning } from './check-result.ts';
import { checkSpaces, type SpaceSettings } from './check-spaces.ts';

const BYTES_PER_GIB = 1024 ** 3;
const TEST_BLOB_BYTES = 64;

/**
 * Leaves nothing behind. A catalog that does not exist yet is not created.
 *
 * @throws {CatalogTooNew}
 * @throws {DevelopmentCatalog}
 */
export async function checkStorage(
  storage: CatalogStorage,
  { readOnly, ...spaces }: SpaceSettings & { readonly readOnly: boolean },
): Promise<readonly CheckResult[]> {
  const { config } = storage;
  if (await isNewFile(config)) return await checkNewCatalog(config);
  const database = await checkDatabase(storage, spaces);
  if (database.some(({ level }) => level === 'problem')) return database;
  return [...database, ...(await checkBlobs(storage, readOnly)), ...(await checkSpace(config))];
}

/** A database server is never new: its tables may be. */
async function isNewFile({ database }: StorageConfig): Promise<boolean> {
  return await database.requireExisting().then(() => false, isNotFound);
}

async function checkNewCatalog({ database, blobStore }: StorageConfig): Promise<readonly CheckResult[]> {
  const folders = [
    ['DATABASE_URL', database.folder],
    ['BLOB_STORE_URL', blobStore.blobFolder],
  ] as const;
  const results = await Promise.all(
    folders.map(async ([variable, folder]) =>
      folder === undefined ? undefined : await checkParent(variable, folder),
    ),
  );
  return [
    ok('There is no catalog yet: the service creates it when it starts'),
    ...results.filter((result) => result !== undefined),
  ];
}

async function checkParent(variable: string, folder: string): Promise<CheckResult> {
  const existing = await nearestExisting(folder);
  try {
    await access(existing, constants.W_OK | constants.X_OK);
    return ok(`${variable}: ${folder} can be created in ${existing}`);
  } catch (error) {
    return problem(
      `${variable}: ${folder} cannot be created: ${messageOf(error)}`,
      `let the user of the service write to ${existing}, or name another folder in ${variable}`,
    );
  }
}

async function nearestExisting(folder: string): Promise<string> {
  try {
    await access(folder, constants.F_OK);
    return folder;
  } catch {
    return dirname(folder) === folder ? folder : await nearestExisting(dirname(folder));
  }
}

async function checkDatabase(
  storage: CatalogStorage,
  settings: SpaceSettings,
): Promise<readonly CheckResult[]> {
  const { database } = storage;
  try {
    const { product, problems } = await database.examine();
    const results = [
      ok(`DATABASE_URL: ${product}`),
      ...problems.map((text) => problem(`DATABASE_URL: ${text}`)),
    ];
    await database.schema(migrationSource);
    return [...results, ...(await checkSchema(storage, settings))];
  } catch (error) {
    if (error instanceof CatalogTooNew || error instanceof DevelopmentCatalog) throw error;
    return [
      problem(
        `DATABASE_URL cannot be used: ${messageOf(error)}`,
        'DATABASE_URL=… with the host, user, password and database that psql accepts as well',
      ),
    ];
  }
}

async function checkSchema(
  { images, trash, spaces }: CatalogStorage,
  settings: SpaceSettings,
): Promise<readonly CheckResult[]> {
  try {
    const [count, trashed] = [await images.count(), await trash.count()];
    const inTrash = trashed > 0 ? `, and ${trashed} in the trash` : '';
    return [
      ok(`The catalog has ${count} images${inTrash}`),
      ...checkSpaces(await spaces.findAll(), settings),
    ];
  } catch (error) {
    return [
      warning(
        `The tables cannot be read: ${messageOf(error)}. The service makes them when it starts`,
        'image-catalog migrate',
      ),
    ];
  }
}

async function checkBlobs(storage: CatalogStorage, readOnly: boolean): Promise<readonly CheckResult[]> {
  const { blobs, claimBlobStore } = storage;
  try {
    await blobs.ping();
    await requireOwnBlobs(claimBlobStore, { dryRun: true });
  } catch (error) {
    return [problem(`BLOB_STORE_URL cannot be used: ${messageOf(error)}`)];
  }
  if (readOnly) return [ok('BLOB_STORE_URL can be read; READ_ONLY is on, so nothing is written to it')];
  return await checkWriting(storage);
}

interface Step {
  readonly failure: string;
  readonly change: string;
  readonly run: () => Promise<void>;
}

/** Uploads, reads and removes a blob of its own. */
async function checkWriting(storage: CatalogStorage): Promise<readonly CheckResult[]> {
  const { blobs } = storage;
  const key = parseBlobKey(crypto.randomUUID());
  const bytes = randomBytes(TEST_BLOB_BYTES);
  const steps: readonly Step[] = [
    {
      failure: 'An upload cannot be stored',
      change: 'allow the user of the service to write (on S3: s3:PutObject, s3:AbortMultipartUpload)',
      run: async () => await store(storage, key, bytes),
    },
    {
      failure: 'A stored blob cannot be read',
      change: 'allow the user of the service to read (on S3: s3:GetObject)',
      run: async () => await requireBlob(blobs, key, bytes),
    },
    {
      failure: 'The blobs cannot be listed, and the sweeper would fail',
      change: 'allow the user of the service to list (on S3: s3:ListBucket)',
      run: async () => await listOne(blobs),
    },
    {
      failure: 'A blob cannot be removed',
      change: 'allow the user of the service to delete (on S3: s3:DeleteObject)',
      run: async () => await blobs.remove(key),
    },
  ];
  const problems = await failuresOf(steps);
  return problems.length > 0 ? problems : [ok('BLOB_STORE_URL: a blob was stored, read, listed and removed')];
}

/** The first failure of storing makes the others meaningless; a blob that was stored is removed in any case. */
async function failuresOf(steps: readonly Step[]): Promise<readonly CheckResult[]> {
  const problems: CheckResult[] = [];
  for (const [index, { failure, change, run }] of steps.entries()) {
    try {
      await run();
    } catch (error) {
      problems.push(problem(`BLOB_STORE_URL: ${failure}: ${messageOf(error)}`, change));
      if (index === 0) break;
    }
  }
  return problems;
}

async function store({ config, staging, blobs }: CatalogStorage, key: BlobKey, bytes: Buffer): Promise<void> {
  await prepareStaging(config);
  const limits = { maxBytes: bytes.length, checkHead: () => undefined };
  const staged = await staging.receive(inMemory(bytes).read(), limits);
  try {
    await blobs.put(key, staged);
  } finally {
    await staged.discard();
  }
}

async function requireBlob(blobs: BlobStorage, key: BlobKey, expected: Buffer): Promise<void> {
  const opened = await blobs.open(key);
  if (opened === undefined) throw new Error('it is not found right after it was stored');
  const found = opened.buffered ?? (await buffer(opened.read()));
  await opened.close();
  if (!expected.equals(found)) throw new Error('its bytes are not those that were stored');
}

async function listOne(blobs: BlobStorage): Promise<void> {
  for await (const _ of blobs.list()) return;
}

async function checkSpace({
  database,
  blobStore,
  stagingPath,
}: StorageConfig): Promise<readonly CheckResult[]> {
  const folders = new Set(
    [database.folder, blobStore.blobFolder, stagingPath].filter((folder) => folder !== undefined),
  );
  return await Promise.all([...folders].map(checkFolderSpace));
}

async function checkFolderSpace(folder: string): Promise<CheckResult> {
  const { bavail, bsize } = await statfs(folder);
  const free = (bavail * bsize) / BYTES_PER_GIB;
  const text = `${folder} has ${free.toFixed(1)} GiB of free space`;
  return free < 1
    ? warning(text, 'make room, or move the folder: uploads fail with 503 if the disk is full')
    : ok(text);
}
