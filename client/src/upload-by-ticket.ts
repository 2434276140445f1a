import { bodyOf } from './body-of.ts';
import { errorOf } from './catalog-error.ts';
import type { UploadedImage } from './image-record.ts';
import type { Platform, UploadSource } from './platform/platform.ts';
import { repeat } from './retry.ts';
import type { SourceOptions } from './upload-form.ts';
import { uploadOf } from './upload-of.ts';

export interface TicketUploadOptions extends SourceOptions {
  /** How often the upload is repeated: 5 unless given. */
  readonly retries?: number;
  /** The longest wait before a retry in milliseconds: 60,000 unless given. The upload fails if `Retry-After` is longer. */
  readonly maxWaitMs?: number;
}

/** A repeated upload leads to one image: a ticket holds for one. */
export async function uploadByTicket<Source extends UploadSource>(
  platform: Platform<Source>,
  url: string | URL,
  source: Source,
  options: TicketUploadOptions = {},
): Promise<UploadedImage> {
  const request = await uploadOf(platform, new URL(url), source, options);
  const send = async (): Promise<UploadedImage> => {
    const response = await platform.upload(request);
    if (!response.ok) throw await errorOf(response);
    return await bodyOf<UploadedImage>(response);
  };
  return await repeat(send, { ...options, platform });
}
