import type { MetadataPatch } from './fields.ts';
import type { Platform, UploadRequest, UploadSource } from './platform/platform.ts';
import { type SourceOptions, uploadForm } from './upload-form.ts';

/** With the digest, the service refuses bytes that were changed on their way. */
export async function uploadOf<Source extends UploadSource>(
  platform: Platform<Source>,
  url: URL,
  source: Source,
  { name = source.name ?? 'image', sha256, onProgress, signal }: SourceOptions,
  metadata?: MetadataPatch,
): Promise<UploadRequest<Source>> {
  const { contentType, head, tail } = uploadForm(name, metadata);
  const digest = sha256 ?? (await platform.sha256(source));
  const headers = {
    'Content-Type': contentType,
    ...(digest !== undefined && { 'X-Content-SHA256': digest }),
  };
  return { url, headers, head, tail, source, onProgress, signal };
}
