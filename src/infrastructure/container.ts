import 'reflect-metadata';
import { Container } from 'inversify';
import type { Logger } from 'pino';
import { SigningKeys } from '../adapters/http/auth/signing-keys.ts';
import type { OffloadTarget } from '../adapters/http/bytes/offload-to.ts';
import { createHttpApi } from '../adapters/http/create-http-api.ts';
import { DeleteImage } from '../application/delete-image.ts';
import { GetImage } from '../application/get-image.ts';
import { ListImages } from '../application/list-images.ts';
import { LookUpImages } from '../application/look-up-images.ts';
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

/** Nothing is opened before it is used; `unbindAllAsync` closes what was opened. */
export function createContainer(config: Config, log: Logger): Container {
  const container = createStorageContainer(config, log);
  container.bind(TOKENS.config).toConstantValue(config);
  bindHttp(container);
  return container;
}

/** Everything but HTTP. */
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
  const { config, clock, uuids, log, images, blobs, staging, useCases, httpApi } = TOKENS;
  container
    .bind(SigningKeys)
    .toResolvedValue(
      ({ idp }, time, events) => new SigningKeys({ jwksUri: idp.jwksUri, clock: time, log: events }),
      [config, clock, log],
    );
  container.bind(useCases).toResolvedValue(
    (
      uploadImage,
      uploadImageOnce,
      getImage,
      deleteImage,
      listImages,
      lookUpImages,
      openImageFile,
      openRendition,
    ) => ({
      uploadImage,
      uploadImageOnce,
      getImage,
      deleteImage,
      listImages,
      lookUpImages,
      openImageFile,
      openRendition,
    }),
    [
      UploadImage,
      UploadImageOnce,
      GetImage,
      DeleteImage,
      ListImages,
      LookUpImages,
      OpenImageFile,
      OpenRendition,
    ],
  );
  container.bind(httpApi).toResolvedValue(
    (settings, cases, signingKeys, store, database, blobStore, area, time, names, events) =>
      createHttpApi({
        useCases: cases,
        settings,
        offloadTarget: offloadTarget(settings, store.links),
        signingKeys,
        staging: area,
        database,
        blobStore,
        clock: time,
        uuids: names,
        log: events,
      }),
    [config, useCases, SigningKeys, TOKENS.blobStore, images, blobs, staging, clock, uuids, log],
  );
  container.bind(TOKENS.app).toResolvedValue(({ app }) => app, [httpApi]);
  container.bind(TOKENS.managementApp).toResolvedValue(({ managementApp }) => managementApp, [httpApi]);
}

function offloadTarget({ delivery }: Config, links: StoreLinks | undefined): OffloadTarget | undefined {
  if (delivery.kind === 'service') return undefined;
  if (delivery.kind === 'nginx') return delivery;
  if (links === undefined) throw new TypeError('The store has no links');
  return { kind: 'bucket', links };
}
