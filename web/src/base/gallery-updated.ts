/** The files of the gallery have been replaced: what is not loaded yet is not there any more. */
export class GalleryUpdated extends Error {}
