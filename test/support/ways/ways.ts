import { jpegPicture } from '../fixtures/pictures.ts';
import type { WayClient } from './way-client.ts';

/** A kind of request: what runs for one of them, once an earlier one of the same kind has loaded and cached all it can. */
export interface Way {
  readonly name: string;
  /** Files at most. */
  readonly goal: number;
  /** Returns what sends one request of the kind. */
  prepare(client: WayClient): Promise<() => Promise<void>>;
}

export const WAYS: readonly Way[] = [
  {
    name: 'upload',
    goal: 62,
    prepare: async (client) => {
      const picture = await jpegPicture(400, 300);
      return async () => void (await client.upload(picture));
    },
  },
  {
    name: 'cold rendition',
    goal: 45,
    prepare: async (client) => {
      const id = await client.upload(await jpegPicture(400, 300));
      const send = (): Promise<void> =>
        client.send(200, `/api/image/${id}/file?width=${client.unusedWidth()}&format=webp`);
      // The first writer of a cache has it measured, which may end after its own request.
      await send();
      return send;
    },
  },
  {
    name: 'cached rendition',
    goal: 32,
    prepare: async (client) => {
      const id = await client.upload(await jpegPicture(400, 300));
      return () => client.send(200, `/api/image/${id}/file?width=64&format=webp`);
    },
  },
  {
    name: '401',
    goal: 18,
    prepare: async (client) => () => client.send(401, '/api/images', { headers: { Authorization: '' } }),
  },
  {
    name: 'delete',
    goal: 34,
    prepare: async (client) => {
      const picture = await jpegPicture(40, 30);
      const ids: number[] = [];
      for (let count = 0; count < 10; count += 1) ids.push(await client.upload(picture));
      return () => client.send(204, `/api/image/${ids.pop()}`, { method: 'DELETE' });
    },
  },
  {
    name: 'PATCH metadata',
    goal: 32,
    prepare: async (client) => {
      const id = await client.upload(await jpegPicture(40, 30));
      let version = 0;
      return async () => {
        version += 1;
        await client.send(200, `/api/image/${id}/metadata`, {
          method: 'PATCH',
          headers: { 'Content-Type': 'application/merge-patch+json' },
          body: JSON.stringify({ title: `Version ${version}`, tags: ['cat'] }),
        });
      };
    },
  },
];
