import 'reflect-metadata';
import { Container } from 'inversify';
import type { Logger } from 'pino';
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
import { DeleteImage } from '../application/delete-image.ts';
import { GetImage } from '../application/get-image.ts';
import { ListImages } from '../application/list-images.ts';
import { OpenImageFile } from '../application/open-image-file.ts';
import { OpenRendition } from '../application/open-rendition.ts';
import { UploadImage } from '../application/upload-image.ts';
import { UploadImageOnce } from '../application/upload-image-once.ts';
import type { StoreLinks } from '../domain/ports/store-links.ts';
import { bindBytes } from './bindings/bind-bytes.ts';
import { bindMaintenance } from './bindings/bind-maintenance.ts';
import { bindPictures } from './bindings/bind-pictures.ts';
import { bindRecords } from './bindings/bind-records.ts';
import { bindRequestUseCases } from './bindings/bind-request-use-cases.ts';
import { bindSystem } from './bindings/bind-system.ts';
import type { Config, StorageConfig } from './config.ts';
import { TOKENS } from './tokens.ts';

/** Wires the service. Nothing is opened before it is used; `unbindAllAsync` closes what was opened. */
export function createContainer(config: Config, log: Logger): Container {
  const container = createStorageContainer(config, log);
  container.bind(TOKENS.config).toConstantValue(config);
  bindHttp(container);
  return container;
}

/** Wires what the maintenance commands use: everything but HTTP. */
export function createStorageContainer(config: StorageConfig, log: Logger): Container {
  const container = new Container({ defaultScope: 'Singleton' });
  container.bind(TOKENS.storageConfig).toConstantValue(config);
  container.bind(TOKENS.log).toConstantValue(log);
  bindSystem(container);
  bindRecords(container);
  bindBytes(container);
  bindPictures(container);
  bindRequestUseCases(container);
  bindMaintenance(container);
  return container;
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
    (config, openImageFile, openRendition, store) =>
      serveFile({
        openImageFile,
        openRendition,
        resourcePolicy: config.corsOrigins === '*' ? 'cross-origin' : 'same-site',
        delivery: deliveryOf(config, openImageFile, store.links),
      }),
    [TOKENS.config, OpenImageFile, OpenRendition, TOKENS.blobStore],
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
  links: StoreLinks | undefined,
): Delivery | undefined {
  switch (delivery.kind) {
    case 'service':
      return undefined;
    case 'nginx':
      return accelRedirect({ openImageFile, ...delivery });
    case 'bucket':
      if (links === undefined) throw new TypeError('The store has no links');
      return redirectToStore({ openImageFile, links });
  }
}

/** Without a key no token can be accepted; asking is a chance to fetch them, within the budget. */
async function requireKeys(signingKeys: SigningKeys): Promise<void> {
  await signingKeys.warmUp();
  if (!signingKeys.hasKeys) throw new Error('No signing key could be fetched yet');
}
