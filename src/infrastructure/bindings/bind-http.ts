import type { Container } from 'inversify';
import { SigningKeys } from '../../adapters/http/auth/signing-keys.ts';
import type { OffloadTarget } from '../../adapters/http/bytes/offload-to.ts';
import { createHttpApi } from '../../adapters/http/create-http-api.ts';
import type { OpenTelemetry } from '../../adapters/opentelemetry/open-telemetry.ts';
import { CountPeriods } from '../../application/count-periods.ts';
import { DeleteImage } from '../../application/delete-image.ts';
import { EditMetadata } from '../../application/edit-metadata.ts';
import { FindSimilar } from '../../application/find-similar.ts';
import { GetImage } from '../../application/get-image.ts';
import { GetMetadata } from '../../application/get-metadata.ts';
import { ListImages } from '../../application/list-images.ts';
import { ListTags } from '../../application/list-tags.ts';
import { LookUpImages } from '../../application/look-up-images.ts';
import { MakeLinks } from '../../application/make-links.ts';
import { OpenImageFile } from '../../application/open-image-file.ts';
import { OpenLink } from '../../application/open-link.ts';
import { OpenRendition } from '../../application/open-rendition.ts';
import { PrerenderUploads } from '../../application/prerender-uploads.ts';
import { TagImages } from '../../application/tag-images.ts';
import { UploadImage } from '../../application/upload-image.ts';
import { UploadImageOnce } from '../../application/upload-image-once.ts';
import type { StoreLinks } from '../../domain/ports/store-links.ts';
import type { Config } from '../config.ts';
import { PublicAddress } from '../public-address.ts';
import { TOKENS } from '../tokens.ts';
import { spanned } from './watch-ports.ts';

export function bindHttp(container: Container, tracing: OpenTelemetry | undefined): void {
  const { config, clock, uuids, log, images, blobs, staging, useCases, httpApi, telemetry } = TOKENS;
  const { apiAddress, webAddress } = TOKENS;
  container
    .bind(apiAddress)
    .toResolvedValue(({ apiUrl, listener }) => new PublicAddress(apiUrl, listener), [config]);
  container.bind(webAddress).toResolvedValue(({ web }) => new PublicAddress(web.url, web.listener), [config]);
  container.bind(SigningKeys).toResolvedValue(
    ({ idp }, time, events, { signingKeys }) =>
      new SigningKeys({
        jwksUri: idp.jwksUri,
        clock: time,
        log: events,
        watchFetch: (fetch) => signingKeys.count(() => spanned(tracing, 'fetch signing keys', fetch)),
      }),
    [config, clock, log, TOKENS.metrics],
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
      getMetadata,
      editMetadata,
      tagImages,
      listTags,
      countPeriods,
      findSimilar,
      makeLinks,
      openLink,
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
      getMetadata,
      editMetadata,
      tagImages,
      listTags,
      countPeriods,
      findSimilar,
      makeLinks,
      openLink,
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
      GetMetadata,
      EditMetadata,
      TagImages,
      ListTags,
      CountPeriods,
      FindSimilar,
      MakeLinks,
      OpenLink,
    ],
  );
  container.bind(httpApi).toResolvedValue(
    (settings, api, web, cases, signingKeys, store, database, blobStore, area, time, names, events, shown) =>
      createHttpApi({
        apiUrl: () => api.url,
        webUrl: web.exists ? (): string => web.url : undefined,
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
        telemetry: shown,
      }),
    [
      config,
      apiAddress,
      webAddress,
      useCases,
      SigningKeys,
      TOKENS.blobStore,
      images,
      blobs,
      staging,
      clock,
      uuids,
      log,
      telemetry,
    ],
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
