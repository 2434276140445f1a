import { expect } from 'chai';
import { CatalogClient, type CatalogOptions, type UploadOptions } from '../../client/src/catalog-client.ts';
import { ImageCatalog } from '../../client/src/node.ts';
import { nodePlatform } from '../../client/src/platform/node-platform.ts';
import type { UploadSource } from '../../client/src/platform/platform.ts';
import { publicUrl } from '../../client/src/public.ts';
import { collectAll } from '../support/fixtures/collect-all.ts';
import { pngPicture } from '../support/fixtures/pictures.ts';
import { rejection } from '../support/fixtures/rejection.ts';
import { startFor } from '../support/http/start-for.ts';
import { TestService } from '../support/http/test-service.ts';
import { hangUp, json, refusal, ScriptedServer, type Step } from '../support/servers/scripted-server.ts';

const NAMED = {
  name: 'hero',
  number: 3,
  id: 17,
  version: 5,
  updatedAt: '2026-01-31T12:00:00.000Z',
  public: false,
  url: null,
};

const noContent: Step = (response) => void response.writeHead(204).end();

let server: ScriptedServer;

async function clientOf(
  steps: readonly Step[],
  options: Partial<CatalogOptions> = {},
): Promise<CatalogClient<UploadSource>> {
  server = await ScriptedServer.start(...steps);
  const wait = async (): Promise<void> => undefined;
  return new CatalogClient(
    { url: server.url, getToken: () => 'token', ...options },
    { ...nodePlatform, wait },
  );
}

/** Method, URL, condition and body of each request. */
function seen(): readonly (readonly (string | undefined)[])[] {
  return server.seen.map(({ method, url, headers, body }) => [
    `${method} ${url}`,
    headers['if-match'] ?? headers['if-none-match'],
    body.toString(),
  ]);
}

describe('the names of the client', () => {
  afterEach(() => server.stop());

  it('are read, set, moved under a condition, and removed', async () => {
    const client = await clientOf([json(200, NAMED), json(201, NAMED), json(200, NAMED), noContent]);

    expect(await client.getName('hero')).to.deep.equal(NAMED);
    expect(await client.setName('hero', 17, { ifNoneMatch: '*' })).to.deep.equal(NAMED);
    expect(await client.setName('hero', 17, { ifMatch: 4 })).to.deep.equal(NAMED);
    await client.deleteName('hero', { ifMatch: 5 });

    expect(seen()).to.deep.equal([
      ['GET /api/names/hero', undefined, ''],
      ['PUT /api/names/hero', '*', '{"id":17}'],
      ['PUT /api/names/hero', '"n4"', '{"id":17}'],
      ['DELETE /api/names/hero', '"n5"', ''],
    ]);
  });

  it('lead to the bytes of their images', async () => {
    const client = await clientOf([(response) => void response.end('bytes')]);

    const response = await client.nameFile('hero', { width: 64, format: 'auto' });

    expect(await response.text()).to.equal('bytes');
    expect(server.seen[0]?.url).to.equal('/api/names/hero/file?width=64&format=auto');
    expect(server.seen[0]?.headers.accept).to.include('image/avif');
  });

  it('are escaped, so that they cannot lead to another route', async () => {
    const client = await clientOf([refusal(400, 'invalid_request')]);

    expect(await rejection(client.getName('../image/7?'))).to.include({ code: 'invalid_request' });
    expect(server.seen[0]?.url).to.equal('/api/names/..%2Fimage%2F7%3F');
  });

  for (const [status, code] of [
    [404, 'name_not_found'],
    [412, 'precondition_failed'],
  ] as const) {
    it(`reject with ${code}, which is not repeated`, async () => {
      const client = await clientOf([refusal(status, code)]);

      expect(await rejection(client.setName('hero', 17))).to.include({ code, status, kind: 'refused' });
      expect(server.seen).to.have.lengthOf(1);
    });
  }

  it('are set by a request whose response was lost', async () => {
    const changed = refusal(412, 'precondition_failed');
    const client = await clientOf([hangUp, changed, json(200, NAMED)]);

    expect(await client.setName('hero', 17, { ifNoneMatch: '*' })).to.deep.equal(NAMED);
    expect(seen().map(([request]) => request)).to.deep.equal([
      'PUT /api/names/hero',
      'PUT /api/names/hero',
      'GET /api/names/hero',
    ]);
  });

  it('are not set if a condition does not hold', async () => {
    const changed = refusal(412, 'precondition_failed');
    const client = await clientOf([hangUp, changed, json(200, NAMED), changed]);

    expect(await rejection(client.setName('hero', 18, { ifMatch: 4 }))).to.include({ status: 412 });
    expect(await rejection(client.setName('hero', 17, { ifMatch: 4 }))).to.include({ status: 412 });
    expect(server.seen).to.have.length(4);
  });

  it('are published by a request whose response was lost, unless they are not public then', async () => {
    const changed = refusal(412, 'precondition_failed');
    const published = { ...NAMED, public: true };
    const client = await clientOf([hangUp, changed, json(200, published), hangUp, changed, json(200, NAMED)]);
    const publish = async () => await client.setName('hero', 17, { ifMatch: 4, public: true });

    expect(await publish()).to.deep.equal(published);
    expect(await rejection(publish())).to.include({ status: 412 });
    expect(String(server.seen[0]?.body)).to.equal('{"id":17,"public":true}');
  });

  it('are removed by a request whose response was lost', async () => {
    const client = await clientOf([hangUp, refusal(404, 'name_not_found')]);

    await client.deleteName('hero');

    expect(server.seen).to.have.lengthOf(2);
  });

  it('are not removed if there is none', async () => {
    const client = await clientOf([refusal(404, 'name_not_found')]);

    expect(await rejection(client.deleteName('hero'))).to.include({ code: 'name_not_found' });
  });
});

describe('the names of the client, in other calls,', () => {
  afterEach(() => server.stop());

  it('point to an upload, under a condition that its retries repeat', async () => {
    const client = await clientOf([hangUp, json(201, { id: 18 })]);

    await client.upload(new File(['bytes'], 'cat.png'), { setName: { name: 'hero', ifMatch: 5 } });

    const conditions = server.seen.map(({ url, headers }) => `${url} ${headers['if-match']}`);
    expect(conditions).to.deep.equal(Array(2).fill('/api/upload?name=hero "n5"'));
  });

  it('have signed links, with those of images or alone', async () => {
    const links = { expiresAt: '2026-01-31T12:00:00.000Z', names: { hero: ['n/3'] }, missingNames: ['logo'] };
    const client = await clientOf([json(200, links), json(200, { ...links, images: {}, missing: [7] })]);

    const alone = await client.links([], { names: ['hero', 'logo'] });
    const both = await client.links([7], { names: ['hero', 'logo'] });

    expect(alone).to.deep.equal({ ...links, images: {}, missing: [] });
    expect(both).to.deep.equal({ ...links, images: {}, missing: [7] });
    expect(server.seen.map(({ body }) => JSON.parse(String(body)) as unknown)).to.deep.equal([
      { names: ['hero', 'logo'] },
      { ids: [7], names: ['hero', 'logo'] },
    ]);
  });
});

const WEB_URL = 'https://cats.example.com/';

describe('the names of the client, at the service,', () => {
  const service = startFor('each', () => TestService.start({ webUrl: WEB_URL, publishNames: true }));
  let images: ImageCatalog;

  beforeEach(async () => {
    images = new ImageCatalog({ url: service.url, getToken: () => service.token() });
  });

  const upload = async (name: string, setName?: UploadOptions['setName']) =>
    await images.upload(new File([new Uint8Array(await pngPicture())], name), { setName });

  it('are public as soon as their upload is there, if it says so', async () => {
    await upload('cat.png', { name: 'hero', public: true });
    expect(await images.getName('hero')).to.include({ id: 1, public: true, url: `${WEB_URL}p/1/hero` });
    await upload('dog.png', { name: 'hero' });
    expect(await images.getName('hero')).to.include({ id: 2, public: true });
    await upload('cat.png', { name: 'hero', public: false });
    expect(await images.getName('hero')).to.include({ id: 3, public: false, url: null });
  });

  it('follow uploads, and are listed', async () => {
    const first = await upload('first.png', { name: 'hero', ifNoneMatch: '*' });
    const named = await images.getName('hero');
    await images.setName('logo', first.id);
    expect(named).to.include({ name: 'hero', id: first.id, version: 1 });

    const second = await upload('second.png', { name: 'hero', ifMatch: named.version });
    const listed = await collectAll(images.listNames({ limit: 1 }));
    expect(listed.map(({ name, id }) => [name, id])).to.deep.equal([
      ['hero', second.id],
      ['logo', first.id],
    ]);
    const response = await images.nameFile('hero');
    expect(response.headers.get('content-location')).to.equal(`/api/image/${second.id}/file`);
    await response.body?.cancel();
  });

  it('are published, listed, and have an address', async () => {
    const { id } = await upload('first.png', { name: 'hidden' });
    const named = await images.setName('hero', id, { public: true });

    expect(publicUrl(named, { width: 64 })).to.equal(`${WEB_URL}p/${named.number}/hero?width=64`);
    expect(await collectAll(images.listNames({ public: true }))).to.deep.equal([named]);
    expect(await images.setName('hero', id, { public: false })).to.include({ public: false, url: null });
  });
});
