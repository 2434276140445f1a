import 'reflect-metadata';
import { join } from 'node:path';
import { Container } from 'inversify';
import type { Knex } from 'knex';
import type { Logger } from 'pino';
import { FilesystemBlobStore } from '../adapters/filesystem/filesystem-blob-store.ts';
import { FilesystemRenditionCache } from '../adapters/filesystem/filesystem-rendition-cache.ts';
import { FilesystemStagingArea } from '../adapters/filesystem/filesystem-staging-area.ts';
import { authenticate } from '../adapters/http/authenticate.ts';
import { createApp } from '../adapters/http/create-app.ts';
import { createManagementApp } from '../adapters/http/create-management-app.ts';
import { imageRoutes } from '../adapters/http/image-routes.ts';
import { imageView } from '../adapters/http/image-view.ts';
import { listImagesHandler } from '../adapters/http/list-images-handler.ts';
import { receiveFile } from '../adapters/http/receive-file.ts';
import { RequestMetrics } from '../adapters/http/request-metrics.ts';
import { serveFile } from '../adapters/http/serve-file.ts';
import { SigningKeys } from '../adapters/http/signing-keys.ts';
import { PictureLane } from '../adapters/sharp/picture-lane.ts';
import { SharpImageInspector } from '../adapters/sharp/sharp-image-inspector.ts';
import { SharpRenditionMaker } from '../adapters/sharp/sharp-rendition-maker.ts';
import { ObjectionImageRepository } from '../adapters/sql/objection-image-repository.ts';
import { openSqliteDatabase } from '../adapters/sql/sqlite-database.ts';
import { RandomUuids } from '../adapters/system/random-uuids.ts';
import { SystemClock } from '../adapters/system/system-clock.ts';
import { DeleteImage } from '../application/delete-image.ts';
import { GetImage } from '../application/get-image.ts';
import { ListImages } from '../application/list-images.ts';
import { OpenImageFile } from '../application/open-image-file.ts';
import { OpenRendition } from '../application/open-rendition.ts';
import { UploadImage } from '../application/upload-image.ts';
import type { Config } from './config.ts';
import { TOKENS } from './tokens.ts';

/** The staging area stands among the blobs, so that an upload becomes a blob by a rename on one file system. */
export const STAGING_FOLDER = '.staging';

/** Renditions that may wait for each that is being made: some seconds' worth. */
const WAITING_PER_ENCODER = 16;

/** Wires the service. Nothing is opened before it is asked for; `unbindAllAsync` closes what was. */
export function createContainer(config: Config, log: Logger): Container {
  const container = new Container({ defaultScope: 'Singleton' });
  container.bind(TOKENS.config).toConstantValue(config);
  container.bind(TOKENS.log).toConstantValue(log);
  bindAdapters(container);
  bindUseCases(container);
  bindHttp(container);
  return container;
}

function bindAdapters(container: Container): void {
  container.bind(TOKENS.clock).toResolvedValue(() => new SystemClock());
  container.bind(TOKENS.uuids).toResolvedValue(() => new RandomUuids());
  container
    .bind(TOKENS.knex)
    .toResolvedValue((config) => openSqliteDatabase(config.database.path), [TOKENS.config])
    .onDeactivation((knex: Knex) => knex.destroy());
  container
    .bind(TOKENS.images)
    .toResolvedValue((knex, clock) => new ObjectionImageRepository(knex, clock), [TOKENS.knex, TOKENS.clock]);
  container
    .bind(TOKENS.blobs)
    .toResolvedValue((config) => new FilesystemBlobStore(config.blobStore.path), [TOKENS.config]);
  container
    .bind(TOKENS.staging)
    .toResolvedValue(
      (config, uuids) => new FilesystemStagingArea(join(config.blobStore.path, STAGING_FOLDER), uuids),
      [TOKENS.config, TOKENS.uuids],
    );
  container
    .bind(TOKENS.inspector)
    .toResolvedValue(
      ({ upload, renditions }) =>
        new SharpImageInspector(
          upload.maxPixels,
          new PictureLane(renditions.concurrency, Number.POSITIVE_INFINITY),
        ),
      [TOKENS.config],
    );
  container
    .bind(TOKENS.renditions)
    .toResolvedValue(
      ({ renditions }, clock) =>
        new FilesystemRenditionCache(renditions.cachePath, renditions.cacheMaxBytes, clock),
      [TOKENS.config, TOKENS.clock],
    );
  container
    .bind(TOKENS.renditionMaker)
    .toResolvedValue(
      ({ renditions: { concurrency } }) =>
        new SharpRenditionMaker(new PictureLane(concurrency, concurrency * WAITING_PER_ENCODER)),
      [TOKENS.config],
    );
}

function bindUseCases(container: Container): void {
  const { images, blobs, inspector, uuids, renditions, renditionMaker, log } = TOKENS;
  container
    .bind(UploadImage)
    .toResolvedValue((...ports) => new UploadImage(...ports), [images, blobs, inspector, uuids]);
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
}

function bindHttp(container: Container): void {
  container
    .bind(SigningKeys)
    .toResolvedValue(
      (config, clock, log) => new SigningKeys({ jwksUri: config.idp.jwksUri, clock, log }),
      [TOKENS.config, TOKENS.clock, TOKENS.log],
    );
  container.bind(RequestMetrics).toResolvedValue(() => new RequestMetrics());
  container
    .bind(TOKENS.receiveFile)
    .toResolvedValue(
      (config, staging) =>
        receiveFile(staging, {
          maxFileBytes: config.upload.maxBytes,
          stallTimeoutMs: config.upload.stallTimeoutMs,
        }),
      [TOKENS.config, TOKENS.staging],
    );
  container.bind(TOKENS.serveFile).toResolvedValue(
    (config, openImageFile, openRendition) =>
      serveFile({
        openImageFile,
        openRendition,
        resourcePolicy: config.corsOrigins === '*' ? 'cross-origin' : 'same-site',
      }),
    [TOKENS.config, OpenImageFile, OpenRendition],
  );
  container
    .bind(TOKENS.viewImage)
    .toResolvedValue((config) => imageView(config.renditions.sizes), [TOKENS.config]);
  container.bind(TOKENS.routes).toResolvedValue(
    (config, uploadImage, getImage, deleteImage, listImages, receive, serve, view) =>
      imageRoutes({
        uploadImage,
        getImage,
        deleteImage,
        listImages: listImagesHandler(listImages, view),
        receiveFile: receive,
        serveFile: serve,
        view,
        renditionSizes: config.renditions.sizes,
        scopes: config.scopes,
      }),
    [
      TOKENS.config,
      UploadImage,
      GetImage,
      DeleteImage,
      ListImages,
      TOKENS.receiveFile,
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

/** Without a key no token can be accepted; asking is a chance to fetch them, within the budget. */
async function requireKeys(signingKeys: SigningKeys): Promise<void> {
  await signingKeys.warmUp();
  if (!signingKeys.hasKeys) throw new Error('No signing key could be fetched yet');
}
