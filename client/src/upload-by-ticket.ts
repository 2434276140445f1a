import { bodyOf } from './body-of.ts';
import { errorOf } from './catalog-error.ts';
import type { UploadedImage } from './image-record.ts';
import type { Platform, UploadProgress, UploadSource } from './platform/platform.ts';
import { RETRIES, repeat } from './retry.ts';
import { uploadForm } from './upload-form.ts';

export interface TicketUploadOptions {
  /** The name of the image; that of the source unless given. */
  readonly name?: string;
  readonly onProgress?: (progress: UploadProgress) => void;
  /** Lower-case hex; computed unless given. */
  readonly sha256?: string;
  /** How often the upload is repeated: 5 unless given. */
  readonly retries?: number;
  /** Its reason rejects the call. */
  readonly signal?: AbortSignal | undefined;
}

/** A repeated upload leads to one image: a ticket holds for one. */
export async function uploadByTicket<Source extends UploadSource>(
  platform: Platform<Source>,
  url: string | URL,
  source: Source,
  { name = source.name ?? 'image', onProgress, sha256, retries = RETRIES, signal }: TicketUploadOptions = {},
): Promise<UploadedImage> {
  const { contentType, head, tail } = uploadForm(name, undefined);
  const digest = sha256 ?? (await platform.sha256(source));
  const headers = {
    'Content-Type': contentType,
    ...(digest !== undefined && { 'X-Content-SHA256': digest }),
  };
  const request = { url: new URL(url), headers, head, tail, source, onProgress, signal };
  const send = async (): Promise<UploadedImage> => {
    const response = await platform.upload(request);
    if (!response.ok) throw await errorOf(response);
    return await bodyOf<UploadedImage>(response);
  };
  return await repeat(send, { retries, signal, platform });
}
