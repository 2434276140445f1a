import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import type { ImageRecord } from '../../client/src/image-record.ts';
import { ImageCatalog, openFile } from '../../client/src/node.ts';
import { collectAll } from '../support/fixtures/collect-all.ts';
import { jpegPicture, noisyPng, pngPicture } from '../support/fixtures/pictures.ts';
import { readZip } from '../support/fixtures/read-zip.ts';
import { rejection } from '../support/fixtures/rejection.ts';
import { temporaryFolder } from '../support/fixtures/temporary-folder.ts';
import { startFor } from '../support/http/start-for.ts';
import { TestService } from '../support/http/test-service.ts';
import { json, ScriptedServer } from '../support/servers/scripted-server.ts';

let service: TestService;
let images: ImageCatalog;

async function uploadSome(count: number): Promise<readonly ImageRecord[]> {
  const records: ImageRecord[] = [];
  for (let side = 1; side <= count; side += 1) {
    records.push(await images.upload(file(await pngPicture(side, 8), `${side}.png`)));
  }
  return records;
}

describe('the client', () => {
  service = startFor('each', () => TestService.start());

  beforeEach(() => {
    images = new ImageCatalog({ url: service.url, getToken: () => service.token() });
  });

  describe('that uploads', uploadCases);
  describe('that reads', readingCases);
  describe('that makes links', linkCases);
  describe('that edits and deletes', editingCases);
  describe('with any request', requestCases);
});

function uploadCases(): void {
  it('uploads a file and gets its record', async () => {
    const bytes = await pngPicture();
    const record = await images.upload(file(bytes, 'cat.png'));

    expect(record).to.include({ originalName: 'cat.png', size: bytes.length, sha256: sha256(bytes) });
    expect(await images.get(record.id)).to.deep.equal(record);
  });

  it('uploads a file of the disk without holding it in memory', async () => {
    const folder = await temporaryFolder();
    const bytes = await noisyPng(150, 150);
    await writeFile(join(folder.path, 'noise.png'), bytes);

    const record = await images.upload(await openFile(join(folder.path, 'noise.png')));

    expect(record).to.include({ originalName: 'noise.png', sha256: sha256(bytes) });
    await folder.remove();
  });

  for (const name of ['"quoted".png', 'Zoë 猫 😺.png', '100%.png', "it's; a=b.png", 'name="x".png']) {
    it(`keeps the name ${name}`, async () => {
      const record = await images.upload(new Blob([await pngPicture()]), { name });

      expect(record.originalName).to.equal(name);
    });
  }

  it('reports the progress up to the size of the file', async () => {
    const bytes = await noisyPng(200, 200);
    const reported: number[] = [];

    await images.upload(file(bytes, 'noise.png'), { onProgress: ({ loaded }) => reported.push(loaded) });

    expect(reported).to.deep.equal(reported.toSorted((a, b) => a - b));
    expect(reported.at(-1)).to.equal(bytes.length);
  });

  it('sends the digest, which the service compares', async () => {
    const wrong = images.upload(file(await pngPicture(), 'cat.png'), { sha256: '0'.repeat(64) });

    expect(await rejection(wrong)).to.include({ code: 'digest_mismatch', status: 400 });
  });

  it('gets the same record for the same idempotency key', async () => {
    const bytes = await pngPicture();
    const first = await images.upload(file(bytes, 'cat.png'), { idempotencyKey: 'k-1' });

    expect(await images.upload(file(bytes, 'cat.png'), { idempotencyKey: 'k-1' })).to.deep.equal(first);
  });

  it('rejects with the code of the service for a file that is no image', async () => {
    const error = await rejection(images.upload(file(Buffer.from('GIF89a, no image'), 'x.gif')));

    expect(error).to.include({ code: 'unsupported_media_type', status: 415 });
    expect(error).to.have.property('requestId').that.is.a('string');
  });

  it('rejects with the code of the service for a file that is refused by its headers', async () => {
    const large = new Blob([Buffer.alloc(3_000_000)]);

    expect(await rejection(images.upload(large))).to.include({ code: 'file_too_large', status: 413 });
  });

  it('rejects with the error of a source, and does not repeat the upload', async () => {
    let streams = 0;
    const source = {
      size: 10,
      stream: async function* (): AsyncGenerator<Uint8Array> {
        streams += 1;
        yield Buffer.from('12345');
        throw new RangeError('unreadable');
      },
    };

    const error = await rejection(images.upload(source, { sha256: '0'.repeat(64) }));

    expect(error).to.be.instanceOf(RangeError);
    expect(streams).to.equal(1);
  });

  for (const [change, size] of [
    ['grown', 4],
    ['shrunk', 6],
  ] as const) {
    it(`rejects a file that has ${change} since it was opened`, async () => {
      const source = {
        size,
        stream: async function* (): AsyncGenerator<Uint8Array> {
          yield Buffer.from('12345');
        },
      };

      const error = await rejection(images.upload(source, { sha256: '0'.repeat(64) }));

      expect(error).to.not.have.property('code');
      expect(error.message).to.include('changed');
      expect(await service.leftovers()).to.deep.equal([]);
    });
  }

  it('ends an upload when the caller aborts', async () => {
    const abort = new AbortController();
    const source = {
      size: 10,
      stream: async function* (): AsyncGenerator<Uint8Array> {
        yield Buffer.from('12345');
        abort.abort(new RangeError('enough'));
        yield Buffer.from('67890');
      },
    };

    const upload = images.upload(source, { sha256: '0'.repeat(64), signal: abort.signal });

    expect(await rejection(upload)).to.equal(abort.signal.reason);
  });
}

function readingCases(): void {
  it('lists all images over several pages', async () => {
    const uploaded = await uploadSome(5);

    const listed = await collectAll(images.list({ limit: 2 }));

    expect(listed).to.deep.equal(uploaded);
  });

  it('lists what the query leaves, in its order', async () => {
    const [first, second, third] = await uploadSome(3);
    const jpeg = await images.upload(file(await jpegPicture(), 'cat.jpg'));

    const pngs = images.list({ mediaType: 'image/png', order: 'desc', limit: 1, createdAfter: new Date(0) });

    expect(await collectAll(pngs)).to.deep.equal([third, second, first]);
    expect(await collectAll(images.list({ sha256: jpeg.sha256 }))).to.deep.equal([jpeg]);
  });

  it('says what the space of the token holds', async () => {
    const [first, second] = await uploadSome(2);

    expect(await images.usage()).to.deep.equal({
      images: 2,
      bytes: (first?.size ?? 0) + (second?.size ?? 0),
      trashed: { images: 0, bytes: 0 },
      limits: { images: null, bytes: null },
    });
  });

  it('gets one page, the cursor of the next, and the total', async () => {
    const [first, second, third] = await uploadSome(3);

    const page = await images.page({ limit: 2, count: true });
    const last = await images.page({ limit: 2, ...(page.next !== undefined && { after: page.next }) });

    expect(page).to.include({ total: 3 });
    expect(page.records).to.deep.equal([first, second]);
    // Nothing has changed in between.
    const { changesCursor } = page;
    expect(changesCursor).to.be.a('string');
    expect(last).to.deep.equal({ records: [third], next: undefined, total: undefined, changesCursor });
  });

  it('requests no page beyond those that are read', async () => {
    await uploadSome(3);
    for await (const { id } of images.list({ limit: 1 })) if (id > 0) break;
    await service.idle();

    const requests = service.log.entries.filter((entry) => JSON.stringify(entry).includes('/api/images'));
    expect(requests).to.have.lengthOf(1);
  });

  it('fetches the bytes, a range of them, and a rendition', async () => {
    const bytes = await pngPicture(640, 480);
    const { id } = await images.upload(file(bytes, 'cat.png'));

    const whole = await images.file(id);
    const range = await images.file(id, { range: { start: 1, end: 3 } });
    const rest = await images.file(id, { range: { start: 10 } });
    const rendition = await images.file(id, { width: 320, format: 'webp' });

    expect(Buffer.from(await whole.arrayBuffer())).to.deep.equal(bytes);
    expect(await range.text()).to.equal('PNG');
    expect((await rest.arrayBuffer()).byteLength).to.equal(bytes.length - 10);
    expect(rendition.headers.get('content-type')).to.equal('image/webp');
  });

  it('looks up which digests the catalog has', async () => {
    const { id, sha256: digest } = await images.upload(file(await pngPicture(), 'cat.png'));

    const found = await images.lookup([digest.toUpperCase(), '0'.repeat(64)]);

    expect([...found]).to.deep.equal([[digest, [id]]]);
  });

  it('gets the originals of many images in one file', async () => {
    const records = await uploadSome(2);

    const response = await images.archive(records.map(({ id }) => id));
    const zip = Buffer.from(await response.arrayBuffer());

    expect(response.headers.get('content-length')).to.equal(String(zip.length));
    expect(readZip(zip).map(({ name, bytes }) => [name, sha256(bytes)])).to.deep.equal(
      records.map(({ originalName, sha256: digest }) => [originalName, digest]),
    );
  });
}

function linkCases(): void {
  it('gets signed links to renditions of many images', async () => {
    const linking = await TestService.start({ webUrl: 'https://cats.example.com/' });
    const client = new ImageCatalog({ url: linking.url, getToken: () => linking.token() });
    const { id } = await client.upload(file(await pngPicture(), 'cat.png'));

    const before = Date.now();
    const short = await client.links([id, 99], {
      renditions: [{ width: 64, format: 'webp' }, { download: true }],
      ttlSeconds: 60,
    });
    const usual = await client.links([id]);
    const { page } = await client.links([id], { page: { title: 'Cats' } });
    await linking.stop();

    const path = `https://cats.example.com/d/${id}`;
    expect(short.images[id]).to.have.length(2);
    expect(short.images[id]?.[0]).to.include(`${path}/64xauto-inside-q75.webp/`);
    expect(short.images[id]?.[1]).to.include(`${path}/original-download/`);
    expect(short.missing).to.deep.equal([99]);
    expect(Date.parse(short.expiresAt)).to.be.within(before + 60_000, Date.now() + 66_000);
    expect(usual.images[id]?.[0]).to.include(`${path}/original/`);
    expect(page).to.match(/^https:\/\/cats\.example\.com\/s\/[\w-]+\/\d+\/[\w-]{43}$/);
    expect(usual).not.to.have.property('page');
  });
}

function editingCases(): void {
  it('edits many images', async () => {
    const [one, two] = (await uploadSome(2)).map(({ id }) => id) as [number, number];
    await images.edit(one, { takenAt: '2026-01-31T12:00:00Z' });

    const edited = await images.editMany([one, two, 99], { title: 'Both', shiftTaken: '-PT1H30M' });

    expect(edited).to.deep.equal({ updated: [one, two], missing: [99] });
    expect(await images.get(one)).to.include({ title: 'Both', takenAt: '2026-01-31T10:30:00.000Z' });
    expect(await images.get(two)).to.include({ title: 'Both', takenAt: null });
  });

  it('edits metadata only if it has not changed since it was read', async () => {
    const { id } = await images.upload(file(await pngPicture(), 'cat.png'));
    const first = await images.metadata(id);

    const edited = await images.edit(id, { title: 'Cat' }, { ifMatch: first.etag });
    const refused = await rejection(images.edit(id, { title: 'Dog' }, { ifMatch: first.etag }));

    expect(refused).to.include({ code: 'precondition_failed', status: 412 });
    expect(await images.metadata(id)).to.deep.equal(edited);
    expect(edited).to.include({ title: 'Cat' }).and.not.include({ etag: first.etag });
  });

  it('resolves an edit by a token without the scope for reading to the new etag', async () => {
    const scoped = await TestService.start({ scopes: { read: 'images:read', write: 'images:write' } });
    const writing = new ImageCatalog({
      url: scoped.url,
      getToken: () => scoped.token({ scope: 'images:write' }),
    });
    const { id } = await writing.upload(file(await pngPicture(), 'cat.png'));
    const edited = await writing.edit(id, { title: 'Cat' });
    await scoped.stop();

    expect(edited).to.deep.equal({ etag: '"m2"' });
  });

  it('has one etag for a version, whatever a proxy that compresses makes of it', async () => {
    const altered = ['"m2"', 'W/"m2"', '"m2-gzip"', 'W/"m2-br"', '"m2;gzip"', '"m2--gzip"'];
    const server = await ScriptedServer.start(...altered.map((ETag) => json(200, {}, { ETag })));
    const behind = new ImageCatalog({ url: server.url, getToken: () => 'token' });
    const seen: string[] = [];
    for (const _ of altered) seen.push((await behind.metadata(1)).etag);
    await server.stop();

    expect(seen).to.deep.equal(altered.map(() => '"m2"'));
  });

  it('deletes an image', async () => {
    const { id } = await images.upload(file(await pngPicture(), 'cat.png'));
    await images.delete(id);

    expect(await rejection(images.get(id))).to.include({ code: 'image_not_found', status: 404 });
  });

  it('deletes an image only if it has the expected bytes', async () => {
    const { id, sha256: digest } = await images.upload(file(await pngPicture(), 'cat.png'));

    const refused = await rejection(images.delete(id, { sha256: '0'.repeat(64) }));
    await images.delete(id, { sha256: digest });

    expect(refused).to.include({ code: 'precondition_failed', status: 412 });
  });
}

function requestCases(): void {
  it('keeps the path of its URL', async () => {
    const server = await ScriptedServer.start(
      json(200, [{ id: 1 }], { link: '</api/images?limit=1&after=c>; rel="next"' }),
      json(200, [{ id: 2 }]),
    );
    const images = new ImageCatalog({ url: `${server.url}/pictures`, getToken: () => 't' });

    await collectAll(images.list({ limit: 1 }));

    expect(server.seen.map(({ url }) => url)).to.deep.equal([
      '/pictures/api/images?limit=1',
      '/pictures/api/images?limit=1&after=c',
    ]);
    await server.stop();
  });

  it('looks digests up in batches of 1000', async () => {
    const server = await ScriptedServer.start(json(200, { a: [1] }), json(200, { b: [2, 3] }));
    const images = new ImageCatalog({ url: server.url, getToken: () => 't' });

    const found = await images.lookup(Array.from({ length: 1001 }, (_, index) => String(index)));

    expect([...found]).to.deep.equal([
      ['a', [1]],
      ['b', [2, 3]],
    ]);
    const sizes = server.seen.map(({ body }) => (JSON.parse(String(body)) as { sha256: [] }).sha256.length);
    expect(sizes).to.deep.equal([1000, 1]);
    await server.stop();
  });

  it('sends the metadata of an upload in front of the file', async () => {
    const server = await ScriptedServer.start(json(201, { id: 1 }));
    const images = new ImageCatalog({ url: server.url, getToken: () => 't' });

    await images.upload(new Blob(['bytes']), { name: 'a.png', metadata: { tags: ['cat'], title: null } });

    const form = await new Response(server.seen[0]?.body, {
      headers: { 'content-type': server.seen[0]?.headers['content-type'] ?? '' },
    }).formData();
    expect([...form.keys()]).to.deep.equal(['metadata', 'file']);
    expect(JSON.parse(form.get('metadata') as string)).to.deep.equal({ tags: ['cat'], title: null });
    await server.stop();
  });

  it('reports a response that is not of the service', async () => {
    const server = await ScriptedServer.start((response) => response.writeHead(500).end('<html>'));
    const images = new ImageCatalog({ url: server.url, getToken: () => 't' });

    expect(await rejection(images.get(1))).to.include({ code: 'unexpected_response', status: 500 });
    await server.stop();
  });
}

function file(bytes: Uint8Array, name: string): File {
  return new File([new Uint8Array(bytes)], name);
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
