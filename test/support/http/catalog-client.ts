import { createHash } from 'node:crypto';
import { expect } from 'chai';
import type { ImageRecord } from '../../../client/src/image-record.ts';
import type { DemoClient } from '../../../demo/demo-client.ts';

export type { ImageRecord };

type ClientRequest = Omit<RequestInit, 'headers'> & { readonly headers?: Readonly<Record<string, string>> };

interface ListedName {
  readonly name: string;
  readonly number: number;
  readonly id: number;
  readonly public: boolean;
}

/** A client of the running service, over the network. It returns all responses, whatever their status. */
export class CatalogClient {
  constructor(
    private readonly url: string,
    private readonly token: string,
  ) {}

  async upload(
    bytes: Uint8Array<ArrayBuffer>,
    name: string,
    headers: Readonly<Record<string, string>> = {},
    pointed?: string,
    isPublic = false,
  ): Promise<Response> {
    const body = new FormData();
    body.append('file', new Blob([bytes]), name);
    return await this.request(
      `api/upload${pointed === undefined ? '' : `?name=${pointed}&public=${isPublic}`}`,
      {
        method: 'POST',
        body,
        headers,
      },
    );
  }

  async patch(id: number, metadata: object): Promise<Response> {
    return await this.request(`api/image/${id}/metadata`, {
      method: 'PATCH',
      body: JSON.stringify(metadata),
      headers: { 'content-type': 'application/merge-patch+json' },
    });
  }

  async list(): Promise<readonly ImageRecord[]> {
    const response = await this.request('api/images');
    expect(response.status).to.equal(200);
    return (await response.json()) as ImageRecord[];
  }

  /** @param address relative to the service */
  async read(address: string, init: ClientRequest = {}): Promise<Response> {
    return await this.request(address, init);
  }

  async get(id: number): Promise<Response> {
    return await this.request(`api/image/${id}`);
  }

  /** @param query such as `?width=64`, for a rendition */
  async file(id: number, query = ''): Promise<Response> {
    return await this.request(`api/image/${id}/file${query}`);
  }

  /** The path of a signed link, which any listener of the catalog's processes serves. */
  async link(id: number, rendition: object = {}): Promise<string> {
    const response = await this.request('api/images/links', {
      method: 'POST',
      body: JSON.stringify({ ids: [id], renditions: [rendition] }),
      headers: { 'content-type': 'application/json' },
    });
    expect(response.status).to.equal(200);
    const { images } = (await response.json()) as { images: Readonly<Record<string, readonly string[]>> };
    return new URL(images[id]?.[0] ?? '').pathname;
  }

  async delete(id: number): Promise<Response> {
    return await this.request(`api/image/${id}`, { method: 'DELETE' });
  }

  async restore(id: number): Promise<Response> {
    return await this.request(`api/trash/${id}/restore`, { method: 'POST' });
  }

  async erase(id: number): Promise<Response> {
    return await this.request(`api/trash/${id}`, { method: 'DELETE' });
  }

  async listTrash(): Promise<readonly ImageRecord[]> {
    const response = await this.request('api/trash');
    expect(response.status).to.equal(200);
    return ((await response.json()) as ReadonlyArray<{ image: ImageRecord }>).map(({ image }) => image);
  }

  async setName(name: string, id: number, isPublic?: boolean): Promise<Response> {
    return await this.request(`api/names/${name}`, {
      method: 'PUT',
      body: JSON.stringify({ id, public: isPublic }),
      headers: { 'content-type': 'application/json' },
    });
  }

  async removeName(name: string): Promise<Response> {
    return await this.request(`api/names/${name}`, { method: 'DELETE' });
  }

  async listNames(): Promise<readonly ListedName[]> {
    const response = await this.request('api/names');
    expect(response.status).to.equal(200);
    return (await response.json()) as readonly ListedName[];
  }

  private async request(path: string, init: ClientRequest = {}): Promise<Response> {
    return await fetch(new URL(path, this.url), {
      ...init,
      headers: { ...init.headers, authorization: `Bearer ${this.token}` },
    });
  }
}

/** The id in the `Location` of the response to an upload. */
export function uploadedId(response: Response): number {
  const id = /^\/api\/image\/([1-9]\d*)$/.exec(response.headers.get('location') ?? '')?.[1];
  if (id === undefined) throw new Error(`No image in Location: ${response.headers.get('location')}`);
  return Number(id);
}

/** Lower-case hex. */
export async function sha256Of(response: Response): Promise<string> {
  return createHash('sha256')
    .update(new Uint8Array(await response.arrayBuffer()))
    .digest('hex');
}

/** Requests an access token with the JSON request of the service's specification. */
export async function requestToken(issuer: string, client: DemoClient): Promise<string> {
  const response = await fetch(new URL('oauth/token', issuer), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      client_id: client.clientId,
      client_secret: client.clientSecret,
      audience: client.audience,
      grant_type: 'client_credentials',
    }),
  });
  expect(response.status).to.equal(200);
  const { access_token: token } = (await response.json()) as { access_token: string };
  return token;
}
