import { CatalogClient, type CatalogOptions } from './catalog-client.ts';
import { nodePlatform } from './node-platform.ts';
import type { UploadSource } from './platform.ts';

export { CatalogError } from './catalog-error.ts';
export { openFile } from './open-file.ts';
export { thumbhashDataUrl } from './thumbhash.ts';

export class ImageCatalog extends CatalogClient<UploadSource> {
  constructor(options: CatalogOptions) {
    super(options, nodePlatform);
  }
}
