import {
  type EmbeddedMetadata,
  type MetadataPatch,
  type NewMetadata,
  NO_METADATA,
} from './image-metadata.ts';
import { patchMetadata } from './patch-metadata.ts';

/** What a new image begins with. Tags of the upload replace the keywords of the file. */
export function uploadedMetadata(
  { capture, keywords }: EmbeddedMetadata,
  patch: MetadataPatch = {},
): NewMetadata {
  return patchMetadata({ ...NO_METADATA, capture, tags: keywords }, patch);
}
