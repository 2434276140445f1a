import { CatalogClient, type CatalogOptions } from './catalog-client.ts';
import type { UploadedImage } from './image-record.ts';
import { browserPlatform } from './platform/browser-platform.ts';
import { uploadByTicket as sendByTicket, type TicketUploadOptions } from './upload-by-ticket.ts';

export { AdaptiveLimit } from './adaptive-limit.ts';
export { CatalogError } from './catalog-error.ts';
export type { FailureKind } from './failure-kind.ts';
export type * from './fields.ts';
export type * from './image-record.ts';
export type * from './queries.ts';
export { isRetryable, retryDelayMs } from './retry.ts';
export { thumbhashColor, thumbhashDataUrl } from './thumbhash/thumbhash.ts';

/** For pages and programs without a token: `url` is one of those that `createTickets` has made. */
export async function uploadByTicket(
  url: string | URL,
  file: Blob,
  options?: TicketUploadOptions,
): Promise<UploadedImage> {
  return await sendByTicket(browserPlatform, url, file, options);
}

export class ImageCatalog extends CatalogClient<Blob> {
  constructor(options: CatalogOptions) {
    super(options, browserPlatform);
  }
}
