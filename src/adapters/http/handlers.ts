import { archiveHandler } from './archive/archive-handler.ts';
import { offloadTo } from './bytes/offload-to.ts';
import { imageFileHandler, serveFile } from './bytes/serve-image-file.ts';
import { changesHandler } from './changes/changes-handler.ts';
import type { HttpApiOptions } from './http-options.ts';
import { deleteHandler, imageHandler } from './image/image-handlers.ts';
import { imageView, type ViewImage } from './image/image-view.ts';
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
import {
  deleteNameHandler,
  getNameHandler,
  listNamesHandler,
  nameFileHandler,
  setNameHandler,
} from './names/name-handlers.ts';
import type { Handlers } from './operations.ts';
import { type ApiDescription, describeHandler } from './service/api-description.ts';
import { greet } from './service/greet.ts';
import { similarHandler } from './similar/similar-handler.ts';
import { SimilarReport } from './similar/similar-report.ts';
import { makeTicketsHandler } from './tickets/make-tickets-handler.ts';
import { eraseHandler, listTrashHandler, restoreHandler } from './trash/trash-handlers.ts';
import { type UploadParts, uploadHandler } from './upload/upload-handler.ts';
import { usageHandler } from './usage/usage-handler.ts';

interface SharedParts {
  readonly description: ApiDescription;
  readonly uploads: UploadParts;
}

/** The handler of each operation. */
export function handlersOf(options: HttpApiOptions, { description, uploads }: SharedParts): Handlers {
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
    uploadImage: uploadOf(options, uploads, view),
    listImages: listImagesHandler(listImages, useCases.readChanges, view),
    listChanges: changesOf(options, view),
    timeline: timelineHandler(useCases.countPeriods),
    lookUpImages: lookUpHandler(lookUpImages),
    archiveImages: archiveHandler(useCases.archiveImages),
    makeLinks: makeLinksHandler(useCases.makeLinks, options.webUrl),
    makeTickets: makeTicketsHandler(useCases.makeTickets, options.webUrl),
    getImage: imageHandler(getImage, file, view),
    getImageFile: imageFileHandler(getImage, file),
    deleteImage: deleteHandler(deleteImage),
    ...trashHandlers(options, view),
    getMetadata: getMetadataHandler(useCases.getMetadata),
    patchMetadata: patchMetadataHandler(useCases.editMetadata, settings.scopes.read),
    editImages: editImagesHandler(useCases.editImages),
    listTags: listTagsHandler(useCases.listTags),
    listNames: listNamesHandler(useCases.listNames),
    getName: getNameHandler(useCases.getName),
    setName: setNameHandler(useCases.setName),
    deleteName: deleteNameHandler(useCases.removeName),
    getNameFile: nameFileHandler(useCases.getName, file),
    getUsage: usageHandler(useCases.getUsage),
    findSimilar: similarHandler(useCases.findSimilar, view),
  };
}

function changesOf(
  { useCases, changePlaces: places, clock, timer }: HttpApiOptions,
  view: ViewImage,
): ReturnType<typeof changesHandler> {
  return changesHandler({ ...useCases, places, view, clock, timer });
}

function trashHandlers(
  { useCases, settings }: HttpApiOptions,
  view: ViewImage,
): Pick<Handlers, 'listTrash' | 'restoreImage' | 'eraseImage'> {
  return {
    listTrash: listTrashHandler(useCases.listTrash, view, settings.trashDays),
    restoreImage: restoreHandler(useCases.restoreImage, view),
    eraseImage: eraseHandler(useCases.eraseImage),
  };
}

function uploadOf(
  { settings: { upload, scopes }, useCases }: HttpApiOptions,
  parts: UploadParts,
  view: ReturnType<typeof imageView>,
): ReturnType<typeof uploadHandler> {
  const { uploadImage, uploadImageOnce } = useCases;
  return uploadHandler({
    maxFileBytes: upload.maxBytes,
    parts,
    uploadImage,
    uploadImageOnce,
    view,
    similarReport: new SimilarReport(useCases.findSimilar, view, scopes.read),
  });
}
