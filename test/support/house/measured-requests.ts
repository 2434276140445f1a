import { jpegPicture } from '../fixtures/pictures.ts';
import type { RequestClient } from './request-client.ts';

/** Returns a function that sends one request of the kind. */
type Prepare = (client: RequestClient) => Promise<() => Promise<void>>;

/** What runs is measured once an earlier request of the same kind has loaded and cached all it can. */
export const MEASURED_REQUESTS: Readonly<Record<string, Prepare>> = {
  upload: async (client) => {
    const picture = await jpegPicture(400, 300);
    return async () => void (await client.upload(picture));
  },

  'cold rendition': async (client) => {
    const id = await client.upload(await jpegPicture(400, 300));
    let quality = 105;
    const send = (): Promise<void> => {
      quality -= 5;
      return client.send(200, `/api/image/${id}/file?width=64&format=webp&quality=${quality}`);
    };
    // The first writer of a cache has it measured, which may end after its own request.
    await send();
    return send;
  },

  'cached rendition': async (client) => {
    const id = await client.upload(await jpegPicture(400, 300));
    return () => client.send(200, `/api/image/${id}/file?width=64&format=webp`);
  },

  'list with q': async (client) => {
    const id = await client.upload(await jpegPicture(40, 30));
    await client.send(200, `/api/image/${id}/metadata`, merge({ title: 'A grey cat' }));
    return () => client.send(200, '/api/images?q=grey&limit=10');
  },

  delete: async (client) => {
    const picture = await jpegPicture(40, 30);
    const ids: number[] = [];
    for (let count = 0; count < 20; count += 1) ids.push(await client.upload(picture));
    return () => client.send(204, `/api/image/${ids.pop()}`, { method: 'DELETE' });
  },

  PATCH: async (client) => {
    const id = await client.upload(await jpegPicture(40, 30));
    let version = 0;
    return async () => {
      version += 1;
      await client.send(
        200,
        `/api/image/${id}/metadata`,
        merge({ title: `Version ${version}`, tags: ['cat'] }),
      );
    };
  },

  'bad signature': async (client) => {
    const [header, payload] = client.token.split('.');
    const signature = Buffer.alloc(256, 1).toString('base64url');
    const headers = { Authorization: `Bearer ${header}.${payload}.${signature}` };
    return () => client.send(401, '/api/images', { headers });
  },
};

function merge(changes: object): RequestInit & { readonly headers: Readonly<Record<string, string>> } {
  return {
    method: 'PATCH',
    headers: { 'Content-Type': 'application/merge-patch+json' },
    body: JSON.stringify(changes),
  };
}
