import 'reflect-metadata';
import { Container } from 'inversify';
import type { Knex } from 'knex';
import type { Logger } from 'pino';
import { FilesystemBlobStore } from '../adapters/filesystem/filesystem-blob-store.ts';
import { FilesystemRenditionCache } from '../adapters/filesystem/filesystem-rendition-cache.ts';
import { FilesystemStagingArea } from '../adapters/filesystem/filesystem-staging-area.ts';
import { accelRedirect } from '../adapters/http/accel-redirect.ts';
import { authenticate } from '../adapters/http/authenticate.ts';
import { createApp } from '../adapters/http/create-app.ts';
import { createManagementApp } from '../adapters/http/create-management-app.ts';
import type { Delivery } from '../adapters/http/delivery.ts';
import { imageRoutes } from '../adapters/http/image-routes.ts';
import { imageView } from '../adapters/http/image-view.ts';
import { listImagesHandler } from '../adapters/http/list-images-handler.ts';
import { receiveFile } from '../adapters/http/receive-file.ts';
import { redirectToStore } from '../adapters/http/redirect-to-store.ts';
import { RequestMetrics } from '../adapters/http/request-metrics.ts';
import { serveFile } from '../adapters/http/serve-file.ts';
import { SigningKeys } from '../adapters/http/signing-keys.ts';
import { UploadAdmission } from '../adapters/http/upload-admission.ts';
import { uploadHandler } from '../adapters/http/upload-handler.ts';
import { RECENT_RENDITIONS, RecentRenditions } from '../adapters/memory/recent-renditions.ts';
import { S3BlobStore } from '../adapters/s3/s3-blob-store.ts';
import { S3Buckets } from '../adapters/s3/s3-buckets.ts';
import { S3RenditionCache } from '../adapters/s3/s3-rendition-cache.ts';
import { DecodeQueue } from '../adapters/sharp/decode-queue.ts';
import { SharpImageInspector } from '../adapters/sharp/sharp-image-inspector.ts';
import { SharpRenditionMaker } from '../adapters/sharp/sharp-rendition-maker.ts';
import { WeightedSemaphore } from '../adapters/sharp/weighted-semaphore.ts';
import { KnexCatalogIdentity } from '../adapters/sql/knex-catalog-identity.ts';
import { ObjectionIdempotencyKeys } from '../adapters/sql/objection-idempotency-keys.ts';
import { type ImageReads, ObjectionImageRepository } from '../adapters/sql/objection-image-repository.ts';
import { openPostgresDatabase, type PostgresConnection } from '../adapters/sql/postgres-database.ts';
import { PostgresPreparedReads } from '../adapters/sql/postgres-prepared-reads.ts';
import { openSqliteDatabase, openSqliteReader } from '../adapters/sql/sqlite-database.ts';
import { SqlitePreparedReads } from '../adapters/sql/sqlite-prepared-reads.ts';
import { HostProcesses } from '../adapters/system/host-processes.ts';
import { NodeHasher } from '../adapters/system/node-hasher.ts';
import { RandomUuids } from '../adapters/system/random-uuids.ts';
import { SystemClock } from '../adapters/system/system-clock.ts';
import { DeleteImage } from '../application/delete-image.ts';
import { GetImage } from '../application/get-image.ts';
import { ListImages } from '../application/list-images.ts';
import { ClaimBlobStore } from '../application/maintenance/claim-blob-store.ts';
import { SweepOrphans } from '../application/maintenance/sweep-orphans.ts';
import { VerifyCatalog } from '../application/maintenance/verify-catalog.ts';
import { OpenImageFile } from '../application/open-image-file.ts';
import { OpenRendition } from '../application/open-rendition.ts';
import { UploadImage } from '../application/upload-image.ts';
import { UploadImageOnce } from '../application/upload-image-once.ts';
import type { Config, StorageConfig } from './config.ts';
import { TOKENS } from './tokens.ts';

/** Renditions that may wait for each that is being made: some seconds' worth. */
const WAITING_PER_ENCODER = 16;

/** With the longest decode and encode behind it, that is less than the 60 s after which proxies give up. */
const MAX_WAIT_FOR_DECODE_MS = 30_000;

/** Wires the service. Nothing is opened before it is asked for; `unbindAllAsync` closes what was. */
export function createContainer(config: Config, log: Logger): Container {
  const container = createStorageContainer(config, log);
  container.bind(TOKENS.config).toConstantValue(config);
  bindHttp(container);
  return container;
}

/** The part that the maintenance commands work with: everything but HTTP. */
export function createStorageContainer(config: StorageConfig, log: Logger): Container {
  const container = new Container({ defaultScope: 'Singleton' });
  container.bind(TOKENS.storageConfig).toConstantValue(config);
  container.bind(TOKENS.log).toConstantValue(log);
  bindSystem(container);
  if (config.database.kind === 'sqlite') bindSqlite(container, config.database.path);
  else bindPostgres(container, config.database);
  bindRecords(container);
  bindFiles(container);
  bindPictures(container);
  bindUseCases(container);
  return container;
}

function bindSystem(container: Container): void {
  container.bind(TOKENS.clock).toResolvedValue(() => new SystemClock());
  container.bind(TOKENS.uuids).toResolvedValue(() => new RandomUuids());
  container.bind(TOKENS.processes).toResolvedValue(() => new HostProcesses());
}

function bindSqlite(container: Container, path: string): void {
  container
    .bind(TOKENS.knex)
    .toResolvedValue(() => openSqliteDatabase(path))
    .onDeactivation((connections: Knex) => connections.destroy());
  container
    .bind(TOKENS.reader)
    .toResolvedValue(() => openSqliteReader(path))
    .onDeactivation((connections: Knex) => connections.destroy());
  const reads = new SqlitePreparedReads(path);
  container
    .bind(TOKENS.imageReads)
    .toResolvedValue((): ImageReads => reads)
    .onDeactivation(() => reads.close());
}

function bindPostgres(container: Container, connection: PostgresConnection): void {
  const { knex, reader, imageReads } = TOKENS;
  container
    .bind(knex)
    .toResolvedValue(() => openPostgresDatabase(connection))
    .onDeactivation((connections: Knex) => connections.destroy());
  // Readers wait for no writer here.
  container.bind(reader).toResolvedValue((connections) => connections, [knex]);
  container.bind(imageReads).toResolvedValue((connections) => new PostgresPreparedReads(connections), [knex]);
}

function bindRecords(container: Container): void {
  const { knex, reader, imageReads, clock, uuids, processes } = TOKENS;
  container
    .bind(TOKENS.identity)
    .toResolvedValue((connections, names) => new KnexCatalogIdentity(connections, names), [knex, uuids]);
  container
    .bind(TOKENS.images)
    .toResolvedValue((...rest) => new ObjectionImageRepository(...rest), [knex, clock, imageReads, reader]);
  container
    .bind(TOKENS.keys)
    .toResolvedValue(
      (connections, time, names, registry) =>
        new ObjectionIdempotencyKeys(connections, { clock: time, uuids: names, processes: registry }),
      [knex, clock, uuids, processes],
    );
}

function bindFiles(container: Container): void {
  const { storageConfig, clock, uuids, processes } = TOKENS;
  container
    .bind(S3Buckets)
    .toResolvedValue(() => new S3Buckets())
    .onDeactivation((buckets) => buckets.close());
  container
    .bind(TOKENS.blobs)
    .toResolvedValue(
      ({ blobStore }, buckets) =>
        blobStore.kind === 's3'
          ? new S3BlobStore(buckets.at(blobStore))
          : new FilesystemBlobStore(blobStore.path),
      [storageConfig, S3Buckets],
    );
  container.bind(TOKENS.staging).toResolvedValue(
    ({ blobStore, stagingPath }, names, registry) =>
      // What is sent to a bucket need not be on the disk first: before it is there, nobody is promised anything.
      new FilesystemStagingArea(
        stagingPath,
        names,
        registry,
        blobStore.kind === 's3' ? 'volatile' : 'durable',
      ),
    [storageConfig, uuids, processes],
  );
  container
    .bind(TOKENS.renditions)
    .toResolvedValue(
      ({ renditions: { cache, cacheMaxBytes } }, buckets, time) =>
        new RecentRenditions(
          cache.kind === 's3'
            ? new S3RenditionCache(buckets.at(cache))
            : new FilesystemRenditionCache(cache.path, cacheMaxBytes, time),
          RECENT_RENDITIONS,
        ),
      [storageConfig, S3Buckets, clock],
    );
}

function bindPictures(container: Container): void {
  const { storageConfig, decodeMemory } = TOKENS;
  container
    .bind(decodeMemory)
    .toResolvedValue(({ decodeMemoryBytes }) => new WeightedSemaphore(decodeMemoryBytes), [storageConfig]);
  container.bind(TOKENS.inspector).toResolvedValue(
    ({ upload, renditions }, memory) =>
      // Uploads are bounded when they are admitted, so none is rejected here for their number.
      new SharpImageInspector(
        upload.maxPixels,
        new DecodeQueue(memory, {
          concurrency: renditions.concurrency,
          maxWaiting: Number.POSITIVE_INFINITY,
          maxWaitMs: MAX_WAIT_FOR_DECODE_MS,
        }),
      ),
    [storageConfig, decodeMemory],
  );
  container.bind(TOKENS.renditionMaker).toResolvedValue(
    ({ upload, renditions: { concurrency } }, memory) =>
      new SharpRenditionMaker(
        upload.maxPixels,
        new DecodeQueue(memory, {
          concurrency,
          maxWaiting: concurrency * WAITING_PER_ENCODER,
          maxWaitMs: MAX_WAIT_FOR_DECODE_MS,
        }),
      ),
    [storageConfig, decodeMemory],
  );
}

function bindUseCases(container: Container): void {
  const { identity, images, keys, blobs, staging, inspector } = TOKENS;
  const { uuids, clock, renditions, renditionMaker, log } = TOKENS;
  container
    .bind(ClaimBlobStore)
    .toResolvedValue(
      (catalog, repository, store) =>
        new ClaimBlobStore({ identity: catalog, images: repository, blobs: store }),
      [identity, images, blobs],
    );
  container
    .bind(UploadImage)
    .toResolvedValue((...ports) => new UploadImage(...ports), [images, blobs, inspector, uuids]);
  container
    .bind(UploadImageOnce)
    .toResolvedValue((...ports) => new UploadImageOnce(...ports), [UploadImage, images, keys]);
  container.bind(ListImages).toResolvedValue((repository) => new ListImages(repository), [images]);
  container.bind(GetImage).toResolvedValue((repository) => new GetImage(repository), [images]);
  container.bind(OpenImageFile).toResolvedValue((...ports) => new OpenImageFile(...ports), [images, blobs]);
  container
    .bind(DeleteImage)
    .toResolvedValue((...ports) => new DeleteImage(...ports), [images, blobs, renditions, log]);
  container
    .bind(OpenRendition)
    .toResolvedValue(
      (repository, cache, ...rest) => new OpenRendition({ images: repository, cache }, ...rest),
      [images, renditions, OpenImageFile, renditionMaker, log],
    );
  container
    .bind(VerifyCatalog)
    .toResolvedValue(
      (repository, store, decoder, time) =>
        new VerifyCatalog({ images: repository, blobs: store }, decoder, new NodeHasher(), time),
      [images, blobs, inspector, clock],
    );
  container.bind(SweepOrphans).toResolvedValue(
    ({ sweep, requestTimeoutMs }, time, events, catalog, repository, idempotencyKeys, store, area, cache) =>
      new SweepOrphans(
        {
          identity: catalog,
          images: repository,
          keys: idempotencyKeys,
          blobs: store,
          staging: area,
          renditions: cache,
        },
        time,
        { graceMs: sweep.graceMs, maxUploadMs: requestTimeoutMs },
        events,
      ),
    [TOKENS.storageConfig, clock, log, identity, images, keys, blobs, staging, renditions],
  );
}

function bindHttp(container: Container): void {
  container
    .bind(SigningKeys)
    .toResolvedValue(
      (config, clock, log) => new SigningKeys({ jwksUri: config.idp.jwksUri, clock, log }),
      [TOKENS.config, TOKENS.clock, TOKENS.log],
    );
  container.bind(RequestMetrics).toResolvedValue(() => new RequestMetrics());
  container.bind(TOKENS.uploadHandler).toResolvedValue(
    ({ upload }, staging, view, uploadImage, uploadImageOnce) =>
      uploadHandler({
        maxFileBytes: upload.maxBytes,
        admission: new UploadAdmission(upload.concurrency),
        receiveFile: receiveFile(staging, {
          maxFileBytes: upload.maxBytes,
          stallTimeoutMs: upload.stallTimeoutMs,
        }),
        uploadImage,
        uploadImageOnce,
        view,
      }),
    [TOKENS.config, TOKENS.staging, TOKENS.viewImage, UploadImage, UploadImageOnce],
  );
  container.bind(TOKENS.serveFile).toResolvedValue(
    (config, openImageFile, openRendition, buckets) =>
      serveFile({
        openImageFile,
        openRendition,
        resourcePolicy: config.corsOrigins === '*' ? 'cross-origin' : 'same-site',
        delivery: deliveryOf(config, openImageFile, buckets),
      }),
    [TOKENS.config, OpenImageFile, OpenRendition, S3Buckets],
  );
  container
    .bind(TOKENS.viewImage)
    .toResolvedValue((config) => imageView(config.renditions.sizes), [TOKENS.config]);
  container.bind(TOKENS.routes).toResolvedValue(
    (config, upload, getImage, deleteImage, listImages, serve, view) =>
      imageRoutes({
        upload,
        getImage,
        deleteImage,
        listImages: listImagesHandler(listImages, view),
        serveFile: serve,
        view,
        renditionSizes: config.renditions.sizes,
        scopes: config.scopes,
        readOnly: config.readOnly,
      }),
    [
      TOKENS.config,
      TOKENS.uploadHandler,
      GetImage,
      DeleteImage,
      ListImages,
      TOKENS.serveFile,
      TOKENS.viewImage,
    ],
  );
  container.bind(TOKENS.app).toResolvedValue(
    ({ idp, corsOrigins }, log, uuids, clock, signingKeys, metrics, routes) =>
      createApp({
        log,
        uuids,
        corsOrigins,
        metrics,
        authenticate: authenticate({ ...idp, signingKeys, clock }),
        routes,
      }),
    [TOKENS.config, TOKENS.log, TOKENS.uuids, TOKENS.clock, SigningKeys, RequestMetrics, TOKENS.routes],
  );
  container.bind(TOKENS.managementApp).toResolvedValue(
    (images, blobs, signingKeys, metrics) =>
      createManagementApp({
        registry: metrics.registry,
        checks: {
          database: () => images.ping(),
          blobStore: () => blobs.ping(),
          signingKeys: () => requireKeys(signingKeys),
        },
      }),
    [TOKENS.images, TOKENS.blobs, SigningKeys, RequestMetrics],
  );
}

function deliveryOf(
  { delivery }: Config,
  openImageFile: OpenImageFile,
  buckets: S3Buckets,
): Delivery | undefined {
  switch (delivery.kind) {
    case 'service':
      return undefined;
    case 'nginx':
      return accelRedirect({ openImageFile, ...delivery });
    case 'bucket':
      return redirectToStore({ openImageFile, links: new S3BlobStore(buckets.at(delivery.location)) });
  }
}

/** Without a key no token can be accepted; asking is a chance to fetch them, within the budget. */
async function requireKeys(signingKeys: SigningKeys): Promise<void> {
  await signingKeys.warmUp();
  if (!signingKeys.hasKeys) throw new Error('No signing key could be fetched yet');
}
