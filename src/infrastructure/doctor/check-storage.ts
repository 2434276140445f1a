import { randomBytes } from 'node:crypto';
import { access, constants, statfs } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import type { Container } from 'inversify';
import { migrationSource } from '../../../migrations/migration-source.ts';
import { isNotFound } from '../../adapters/filesystem/translating-file-system-errors.ts';
import { DevelopmentCatalog } from '../../adapters/sql/schema/development-catalog.ts';
import { SqliteDriverUnusable } from '../../adapters/sql/sqlite/load-sqlite-driver.ts';
import { CatalogTooNew } from '../../domain/errors.ts';
import { type BlobKey, parseBlobKey } from '../../domain/image/blob-key.ts';
import type { BlobStorage } from '../../domain/ports/bytes/blob-store.ts';
import { inMemory } from '../../domain/ports/bytes/readable-bytes.ts';
import { countOf } from '../commands/command-line/output.ts';
import type { StorageConfig } from '../config/config.ts';
import { certificateAdvice, connectionAdvice, SSLROOTCERT } from '../config/connection-advice.ts';
import { resolveAll } from '../resolve-all.ts';
import { hasCatalog, prepareStaging, requireOwnBlobs } from '../start/prepare-storage.ts';
import { TOKENS } from '../tokens.ts';
import { checkDatabaseFolder } from './check-database-folder.ts';
import { type CheckResult, messageOf, ok, problem, warning } from './check-result.ts';
import { checkSpaces, type SpaceSettings } from './check-spaces.ts';
import { nearestExisting } from './nearest-existing.ts';

const BYTES_PER_GIB = 1024 ** 3;
const TEST_BLOB_BYTES = 64;

/**
 * Leaves nothing behind. A catalog that does not exist yet is not created.
 *
 * @throws {CatalogTooNew}
 * @throws {DevelopmentCatalog}
 */
export async function checkStorage(
  storage: Container,
  { readOnly, ...spaces }: SpaceSettings & { readonly readOnly: boolean },
): Promise<readonly CheckResult[]> {
  const config = storage.get(TOKENS.storageConfig);
  const driver = checkDriver(config);
  if (driver !== undefined) return [driver];
  if (await isNewFile(config)) return await checkNewCatalog(config);
  const database = await checkDatabase(storage, spaces);
  if (database.some(({ level }) => level === 'problem')) return database;
  const isNew = !(await hasCatalog(storage));
  const { blobFolder } = config.blobStore;
  // The folder does not have to exist yet.
  if (isNew && blobFolder !== undefined) {
    return [...database, ...(await checkParent('BLOB_STORE_URL', blobFolder))];
  }
  return [...database, ...(await checkBlobs(storage, { readOnly, isNew })), ...(await checkSpace(config))];
}

function checkDriver({ database }: StorageConfig): CheckResult | undefined {
  try {
    database.requireDriver();
    return undefined;
  } catch (error) {
    if (!(error instanceof SqliteDriverUnusable)) throw error;
    return problem(`DATABASE_URL cannot be used: ${error.fault}`, error.remedy);
  }
}

/** A database server is never new: its tables may be. */
async function isNewFile({ database }: StorageConfig): Promise<boolean> {
  return await database.requireExisting().then(() => false, isNotFound);
}

async function checkNewCatalog({ database, blobStore }: StorageConfig): Promise<readonly CheckResult[]> {
  const parent = await checkParent('DATABASE_URL', database.folder);
  const isWritable = parent.every(({ level }) => level === 'ok');
  return [
    ok('There is no catalog yet: the service creates it when it starts'),
    ...parent,
    ...(isWritable ? await checkDatabaseFolder(database) : []),
    ...(await checkParent('BLOB_STORE_URL', blobStore.blobFolder)),
  ];
}

/** @param folder `undefined` if the storage is in none */
async function checkParent(variable: string, folder: string | undefined): Promise<readonly CheckResult[]> {
  if (folder === undefined) return [];
  const existing = nearestExisting(folder);
  try {
    await access(existing, constants.W_OK | constants.X_OK);
    return [ok(`${variable}: ${folder} can be created in ${existing}`)];
  } catch (error) {
    const change = `let the user of the service write to ${existing}, or name another folder in ${variable}`;
    return [problem(`${variable}: ${folder} cannot be created: ${messageOf(error)}`, change)];
  }
}

async function checkDatabase(storage: Container, settings: SpaceSettings): Promise<readonly CheckResult[]> {
  const database = storage.get(TOKENS.database);
  try {
    const { product, problems } = await database.examine();
    const schema = await database.schema(migrationSource);
    return [
      ok(`DATABASE_URL: ${product}`),
      ...problems.map((text) => problem(`DATABASE_URL: ${text}`)),
      ...(await checkDatabaseFolder(storage.get(TOKENS.storageConfig).database)),
      ...(schema === 'current' ? await checkTables(storage, settings) : [withoutTables(schema)]),
    ];
  } catch (error) {
    if (error instanceof CatalogTooNew || error instanceof DevelopmentCatalog) throw error;
    const failure = messageOf(error);
    const change = 'DATABASE_URL=… with the host, user, password and database that psql accepts as well';
    return [
      problem(`DATABASE_URL cannot be used: ${failure}`, certificateAdvice(failure, SSLROOTCERT) ?? change),
    ];
  }
}

function withoutTables(schema: 'none' | 'older'): CheckResult {
  if (schema === 'none') return ok('There is no catalog yet: the service creates it when it starts');
  return warning(
    'The catalog is of an older version. The service migrates it when it starts',
    'image-catalog migrate',
  );
}

async function checkTables(storage: Container, settings: SpaceSettings): Promise<readonly CheckResult[]> {
  try {
    const { images, trash, spaces } = resolveAll(storage, 'images', 'trash', 'spaces');
    const [count, trashed] = [await images.count(), await trash.count()];
    const inTrash = trashed > 0 ? `, and ${trashed} in the trash` : '';
    const all = await spaces.findAll();
    return [ok(`The catalog has ${countOf(count, 'image')}${inTrash}`), ...checkSpaces(all, settings)];
  } catch (error) {
    return [
      problem(
        `The tables cannot be read: ${messageOf(error)}`,
        'grant select, insert, update and delete on all tables to the user of the service, or restore a backup',
      ),
    ];
  }
}

async function checkBlobs(
  storage: Container,
  { readOnly, isNew }: { readonly readOnly: boolean; readonly isNew: boolean },
): Promise<readonly CheckResult[]> {
  try {
    await storage.get(TOKENS.blobs).ping();
    if (!isNew) await requireOwnBlobs(storage.get(TOKENS.claimBlobStore), { dryRun: true });
  } catch (error) {
    const failure = messageOf(error);
    return [problem(`BLOB_STORE_URL cannot be used: ${failure}`, connectionAdvice(failure))];
  }
  if (readOnly) return [ok('BLOB_STORE_URL can be read; READ_ONLY is on, so nothing is written to it')];
  return await checkWriting(storage);
}

/** Stores, reads and removes a blob of its own. A blob that was stored is removed in any case. */
async function checkWriting(storage: Container): Promise<readonly CheckResult[]> {
  const blobs = storage.get(TOKENS.blobs);
  const key = parseBlobKey(crypto.randomUUID());
  const bytes = randomBytes(TEST_BLOB_BYTES);
  const write = 'write (on S3: s3:PutObject, s3:AbortMultipartUpload)';
  const stored = await failureOf('An upload cannot be stored', write, () => store(storage, key, bytes));
  if (stored.length > 0) return stored;
  const steps: ReadonlyArray<Parameters<typeof failureOf>> = [
    ['A stored blob cannot be read', 'read (on S3: s3:GetObject)', () => requireBlob(blobs, key, bytes)],
    [
      'The blobs cannot be listed, and the sweeper would fail',
      'list (on S3: s3:ListBucket)',
      () => listOne(blobs),
    ],
    ['A blob cannot be removed', 'delete (on S3: s3:DeleteObject)', () => blobs.remove(key)],
  ];
  const problems: CheckResult[] = [];
  for (const step of steps) problems.push(...(await failureOf(...step)));
  return problems.length > 0 ? problems : [ok('BLOB_STORE_URL: a blob was stored, read, listed and removed')];
}

/** @param permission that the step needs */
async function failureOf(
  failure: string,
  permission: string,
  step: () => Promise<void>,
): Promise<readonly CheckResult[]> {
  try {
    await step();
    return [];
  } catch (error) {
    const text = `BLOB_STORE_URL: ${failure}: ${messageOf(error)}`;
    return [problem(text, `allow the user of the service to ${permission}`)];
  }
}

async function store(storage: Container, key: BlobKey, bytes: Buffer): Promise<void> {
  await prepareStaging(storage.get(TOKENS.storageConfig));
  const limits = { maxBytes: bytes.length, checkHead: () => undefined };
  const staged = await storage.get(TOKENS.staging).receive(inMemory(bytes).read(), limits);
  try {
    await storage.get(TOKENS.blobs).put(key, staged);
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
  const folders = new Set([database.folder, blobStore.blobFolder, stagingPath]);
  folders.delete(undefined);
  return await Promise.all([...folders].map((folder) => checkFolderSpace(String(folder))));
}

async function checkFolderSpace(folder: string): Promise<CheckResult> {
  const { bavail, bsize } = await statfs(folder);
  const free = (bavail * bsize) / BYTES_PER_GIB;
  const text = `${folder} has ${free.toFixed(1)} GiB of free space`;
  if (free >= 1) return ok(text);
  return warning(text, 'make room, or move the folder: uploads fail with 503 if the disk is full');
}
