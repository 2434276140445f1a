import { CatalogClient, type CatalogOptions } from './catalog-client.ts';
import { nodePlatform } from './platform/node-platform.ts';
import type { UploadSource } from './platform/platform.ts';

export { AdaptiveLimit } from './adaptive-limit.ts';
export { CatalogError } from './catalog-error.ts';
export type { FailureKind } from './failure-kind.ts';
export type {
  Change,
  EditedImages,
  ImageMetadata,
  ImagePage,
  ImageRecord,
  MetadataVersion,
  PeriodCount,
  SignedLinks,
  SimilarImage,
  TagCount,
  Usage,
} from './image-record.ts';
export { openFile } from './platform/open-file.ts';
export type {
  BulkEdit,
  LinkRendition,
  ListQuery,
  MetadataPatch,
  PageQuery,
  Rendition,
  SimilarQuery,
  TagQuery,
  TimelineQuery,
} from './queries.ts';
export { isRetryable, retryDelayMs } from './retry.ts';
export { thumbhashColor, thumbhashDataUrl } from './thumbhash/thumbhash.ts';

export class ImageCatalog extends CatalogClient<UploadSource> {
  constructor(options: CatalogOptions) {
    super(options, nodePlatform);
  }
}
