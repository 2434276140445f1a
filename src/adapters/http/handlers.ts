import { SubjectShares } from '../../application/concurrency/subject-shares.ts';
import { archiveHandler } from './archive/archive-handler.ts';
import { offloadTo } from './bytes/offload-to.ts';
import { imageFileHandler, serveFile } from './bytes/serve-image-file.ts';
import { changesHandler } from './changes/changes-handler.ts';
import type { HttpApiOptions } from './http-options.ts';
import { deleteHandler, imageHandler } from './image/image-handlers.ts';
import { imageView } from './image/image-view.ts';
import { makeLinksHandler } from './links/make-links-handler.ts';
import { listImagesHandler } from './listing/list-images-handler.ts';
import { lookUpHandler } from './listing/look-up-handler.ts';
import { timelineHandler } from './listing/timeline-handler.ts';
import {
  editImagesHandler,
  getMetadataHandler,
  listTagsHandler,
  patchMetadataHandler,
} from './metadata/metadata-handlers.ts';
import type { Handlers } from './operations.ts';
import { type ApiDescription, describeHandler } from './service/api-description.ts';
import { greet } from './service/greet.ts';
import { similarHandler } from './similar/similar-handler.ts';
import { SimilarReport } from './similar/similar-report.ts';
import { uploadHandler } from './upload/upload-handler.ts';
import { usageHandler } from './usage/usage-handler.ts';

/** The handler of each operation. */
export function handlersOf(options: HttpApiOptions, description: ApiDescription): Handlers {
  const { useCases, settings, offloadTarget } = options;
  const { getImage, deleteImage, listImages, lookUpImages, openImageFile } = useCases;
  const view = imageView(settings.renditions.sizes);
  const file = serveFile({
    files: useCases,
    resourcePolicy: settings.corsOrigins === '*' ? 'cross-origin' : 'same-site',
    offload: offloadTo(offloadTarget, openImageFile),
  });
  return {
    greet,
    describeApi: describeHandler(description),
    uploadImage: uploadOf(options, view),
    listImages: listImagesHandler(listImages, useCases.readChanges, view),
    listChanges: changesHandler({
      ...useCases,
      places: options.changePlaces,
      view,
      clock: options.clock,
      timer: options.timer,
    }),
    timeline: timelineHandler(useCases.countPeriods),
    lookUpImages: lookUpHandler(lookUpImages),
    archiveImages: archiveHandler(useCases.archiveImages),
    makeLinks: makeLinksHandler(useCases.makeLinks, options.webUrl),
    getImage: imageHandler(getImage, file, view),
    getImageFile: imageFileHandler(getImage, file),
    deleteImage: deleteHandler(deleteImage),
    getMetadata: getMetadataHandler(useCases.getMetadata),
    patchMetadata: patchMetadataHandler(useCases.editMetadata, settings.scopes.read),
    editImages: editImagesHandler(useCases.editImages),
    listTags: listTagsHandler(useCases.listTags),
    getUsage: usageHandler(useCases.getUsage),
    findSimilar: similarHandler(useCases.findSimilar, view),
  };
}

function uploadOf(
  { settings: { upload, scopes, spaceClaim }, staging, useCases, telemetry }: HttpApiOptions,
  view: ReturnType<typeof imageView>,
): ReturnType<typeof uploadHandler> {
  const { admitUpload, uploadImage, uploadImageOnce, prerenderUploads } = useCases;
  return uploadHandler({
    limits: { maxFileBytes: upload.maxBytes, stallTimeoutMs: upload.stallTimeoutMs },
    places: new SubjectShares(upload.concurrency),
    sharesBySpace: spaceClaim !== undefined,
    staging,
    watchReceive: telemetry.watchReceive,
    admitUpload,
    uploadImage,
    uploadImageOnce,
    prerenderUploads,
    view,
    similarReport: new SimilarReport(useCases.findSimilar, view, scopes.read),
    observer: telemetry.requests,
  });
}
