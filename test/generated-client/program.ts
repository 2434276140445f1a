import createClient from 'openapi-fetch';
import type { components, paths } from './generated/image-catalog.js';

type ImageRecord = components['schemas']['ImageRecord'];

/** Uploads a picture unless the catalog has it, and returns a thumbnail. It is compiled and not run. */
export async function thumbnailOf(picture: Blob, sha256: string, token: string): Promise<Blob> {
  const headers = { Authorization: `Bearer ${token}` };
  const client = createClient<paths>({ baseUrl: 'http://localhost:3000', headers });
  const found = await client.POST('/api/images/lookup', { body: { sha256: [sha256] } });
  if (found.error !== undefined) throw new Error(`${found.error.code}: ${found.error.message}`);
  const id = found.data[sha256]?.[0] ?? (await upload()).id;
  const { data, error } = await client.GET('/api/image/{id}/file', {
    params: { path: { id }, query: { width: 320, fit: 'inside', format: 'webp', download: true } },
    parseAs: 'blob',
  });
  if (error?.code === 'image_not_found') throw new Error('The image was deleted');
  if (data === undefined) throw new Error(error?.message);
  return data;

  async function upload(): Promise<ImageRecord> {
    const { data, error, response } = await client.POST('/api/upload', {
      params: { header: { 'X-Content-SHA256': sha256 } },
      // The generated type of a binary part is string.
      body: { file: '' },
      bodySerializer: () => formOf(picture),
    });
    if (data !== undefined) return data;
    throw new Error(`${response.status} ${error.code satisfies string}`);
  }
}

function formOf(picture: Blob): FormData {
  const form = new FormData();
  form.append('file', picture, 'picture.jpg');
  return form;
}
