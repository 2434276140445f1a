import type { Container } from 'inversify';
import { SigningKeys } from '../../adapters/http/auth/signing-keys.ts';
import type { OffloadTarget } from '../../adapters/http/bytes/offload-to.ts';
import { createHttpApi } from '../../adapters/http/create-http-api.ts';
import { DeleteImage } from '../../application/delete-image.ts';
import { GetImage } from '../../application/get-image.ts';
import { ListImages } from '../../application/list-images.ts';
import { LookUpImages } from '../../application/look-up-images.ts';
import { OpenImageFile } from '../../application/open-image-file.ts';
import { OpenRendition } from '../../application/open-rendition.ts';
import { PrerenderUploads } from '../../application/prerender-uploads.ts';
import { UploadImage } from '../../application/upload-image.ts';
import { UploadImageOnce } from '../../application/upload-image-once.ts';
import type { StoreLinks } from '../../domain/ports/store-links.ts';
import type { Config } from '../config.ts';
import { TOKENS } from '../tokens.ts';

export function bindHttp(container: Container): void {
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
      prerenderUploads,
    ) => ({
      uploadImage,
      uploadImageOnce,
      getImage,
      deleteImage,
      listImages,
      lookUpImages,
      openImageFile,
      openRendition,
      prerenderUploads,
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
      PrerenderUploads,
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
