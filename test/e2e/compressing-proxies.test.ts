import { expect } from 'chai';
import { ImageCatalog } from '../../client/src/node.ts';
import { FORM_TYPE, filePart, multipart } from '../support/fixtures/multipart.ts';
import { noisyPng } from '../support/fixtures/pictures.ts';
import { TestService } from '../support/http/test-service.ts';
import { COMPRESSING_PROXIES, type CompressingKind } from '../support/servers/compressing-proxy.ts';
import { describeIf } from '../support/skipped/skip-aloud.ts';

const MERGE_PATCH = 'application/merge-patch+json';

for (const kind of COMPRESSING_PROXIES) {
  describeIf(kind.isInstalled(), `${kind.program} is not installed`)(`behind ${kind.title}`, () => {
    conditionsHold(kind);
  });
}

function conditionsHold({ start, alteredTag }: CompressingKind): void {
  let service: TestService;
  let images: ImageCatalog;
  let png: Buffer;

  before(async () => {
    png = await noisyPng(40, 30);
    service = await TestService.start({ openFront: (port) => start({ api: port, web: port }) });
    images = new ImageCatalog({ url: service.url, getToken: () => service.token() });
  });

  after(async () => {
    await service.stop();
  });

  interface Sent extends RequestInit {
    readonly headers?: Readonly<Record<string, string>>;
  }

  async function request(path: string, init: Sent = {}): Promise<Response> {
    const headers = { Authorization: service.bearer, 'Accept-Encoding': 'gzip, br', ...init.headers };
    return await fetch(new URL(path, service.url), { ...init, headers });
  }

  async function upload(): Promise<number> {
    return (await images.upload(new Blob([new Uint8Array(png)]), { name: 'cat.png' })).id;
  }

  /** Reads a resource, whose tag the proxy alters. */
  async function tagOf(path: string, tag: string): Promise<string> {
    const response = await request(path);
    const seen = response.headers.get('etag') ?? '';
    expect(seen).to.equal(alteredTag.replace('t', tag));
    await response.arrayBuffer();
    return seen;
  }

  it('an edit of metadata with the tag that was read is done once', async () => {
    const path = `/api/image/${await upload()}/metadata`;
    const tag = await tagOf(path, 'm1');
    const edit = async (title: string): Promise<number> => {
      const headers = { 'If-Match': tag, 'Content-Type': MERGE_PATCH };
      return (await request(path, { method: 'PATCH', headers, body: JSON.stringify({ title }) })).status;
    };

    expect([await edit('Cat'), await edit('Dog')]).to.deep.equal([200, 412]);
    expect((await request(path, { headers: { 'If-None-Match': tag } })).status).to.equal(200);
    const present = await tagOf(path, 'm2');
    expect((await request(path, { headers: { 'If-None-Match': present } })).status).to.equal(304);
  });

  it('a name is moved, given by an upload and removed with the tag that was read', async () => {
    const [first, second] = [await upload(), await upload()];
    await images.setName('cover', first);
    const change = async (tag: string, method: string, body?: string): Promise<number> => {
      const headers = { 'If-Match': tag, 'Content-Type': 'application/json' };
      return (await request('/api/names/cover', { method, headers, ...(body && { body }) })).status;
    };
    const tag = await tagOf('/api/names/cover', 'n1');
    const body = JSON.stringify({ id: second });
    expect([await change(tag, 'PUT', body), await change(tag, 'PUT', body)]).to.deep.equal([200, 412]);

    const form = new Uint8Array(multipart([filePart(png)]));
    const headers = { 'If-Match': await tagOf('/api/names/cover', 'n2'), 'Content-Type': FORM_TYPE };
    const uploaded = await request('/api/upload?name=cover', { method: 'POST', headers, body: form });
    expect(uploaded.status).to.equal(201);
    expect(await change(await tagOf('/api/names/cover', 'n3'), 'DELETE')).to.equal(204);
  });

  it('an image is deleted with the tag of its record', async () => {
    const id = await upload();
    const { sha256 } = await images.get(id);
    const headers = { 'If-Match': await tagOf(`/api/image/${id}`, sha256) };

    expect((await request(`/api/image/${id}`, { method: 'DELETE', headers })).status).to.equal(204);
  });

  it('the client edits, and bytes keep their strong tag', async () => {
    const id = await upload();
    const { etag } = await images.metadata(id);
    await images.edit(id, { title: 'Cat' }, { ifMatch: etag });
    expect((await images.metadata(id)).etag).to.equal('"m2"');

    const bytes = await request(`/api/image/${id}/file`);
    const range = { Range: 'bytes=0-7', 'If-Range': bytes.headers.get('etag') ?? '' };
    await bytes.arrayBuffer();
    expect((await request(`/api/image/${id}/file`, { headers: range })).status).to.equal(206);
  });
}
