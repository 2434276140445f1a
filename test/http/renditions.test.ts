import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import type { Response, Test } from 'supertest';
import { sharp } from '../../src/decoder/decoder-options.ts';
import { Overloaded, RenditionTooLarge } from '../../src/domain/errors.ts';
import { MAX_RENDITION_BYTES } from '../../src/domain/image/rendition.ts';
import { TOKENS } from '../../src/infrastructure/tokens.ts';
import { WARN } from '../support/doubles/captured-log.ts';
import { corpusImage } from '../support/fixtures/corpus.ts';
import { filePart } from '../support/fixtures/multipart.ts';
import { rawJpeg } from '../support/fixtures/raw-pictures.ts';
import type { ImageRecord } from '../support/http/catalog-client.ts';
import { requestHead } from '../support/http/raw-connection.ts';
import { startFor } from '../support/http/start-for.ts';
import { storeEarlier } from '../support/http/store-earlier.ts';
import { TestService } from '../support/http/test-service.ts';
import { openSqliteAndFiles } from '../support/http/test-storage.ts';
import { watchEncodes, wrapMaker } from '../support/http/wrap-maker.ts';
import { Gate } from '../support/time/gate.ts';

const service = startFor('all', () => TestService.start());
let encodes: number;
let jpeg: ImageRecord;
let png: ImageRecord;

describe('A rendition', () => {
  before(async () => {
    watchEncodes(service, () => {
      encodes += 1;
    });
    jpeg = await service.upload(await picture(400, 200).jpeg().toBuffer(), 'my cat.jpeg');
    png = await service.upload(await picture(300, 600).png().toBuffer(), 'kočka.png');
  });

  beforeEach(() => {
    encodes = 0;
  });

  describe('has', properties);

  describe('is named', fileNames);

  describe('of a stored original above the upload limits', storedAboveLimits);

  describe('with format=auto is', automaticFormat);

  it('of a fixed format does not depend on Accept', async () => {
    const response = await get(jpeg, '?width=64&format=webp').set('Accept', 'text/html');
    expect(response.status).to.equal(200);
    expect(response.headers.vary ?? '').not.to.match(/\bAccept\b/);
  });

  describe('in conditional requests', conditions);

  describe('in ranges', ranges);

  describe('on /api/image/:id', negotiation);

  exif();

  describe('is made', encoding);

  it('of more than 64 MiB is 400, naming the format and the limit', async () => {
    const unwrap = wrapMaker(service, () =>
      Promise.reject(new RenditionTooLarge('image/jpeg', 'png', MAX_RENDITION_BYTES)),
    );
    const { status, body } = await get(jpeg, '?width=320&format=png');
    unwrap();
    expect([status, (body as { code: string }).code]).to.deep.equal([400, 'invalid_request']);
    expect((body as { message: string }).message).to.match(/format.*png.*67108864/);
  });

  describe('if too many are in progress', overload);
});

function exif(): void {
  it('is rotated upright', async () => {
    const turned = await corpusImage('orientation-landscape-6.jpg');
    const roomy = await TestService.start({ maxFileBytes: turned.size });
    const { id } = await roomy.upload(await readFile(turned.path), 'turned.jpg');
    const response = await roomy.get(`/api/image/${id}/file?width=96`);
    await roomy.stop();
    expect(await sizeOf(response)).to.deep.equal(['jpeg', 96, 64]);
  });

  it('does not contain the location of the picture', async () => {
    const exif = { IFD3: { GPSLatitude: '52/1 31/1 0/1' }, IFD0: { Copyright: 'a secret' } };
    const tagged = await service.upload(await picture(64, 64).withExif(exif).jpeg().toBuffer(), 'tagged.jpg');
    for (const format of ['jpeg', 'png', 'webp', 'avif']) {
      const bytes = (await get(tagged, `?format=${format}`)).body as Buffer;
      expect(bytes.includes('Exif'), format).to.equal(false);
      expect(bytes.includes('a secret'), format).to.equal(false);
    }
  });
}

function properties(): void {
  const ROWS: ReadonlyArray<readonly [string, number, number]> = [
    ['?width=64', 64, 32],
    ['?width=64&height=64&fit=cover', 64, 64],
    ['?width=3840', 400, 200],
    ['?quality=50', 400, 200],
  ];
  for (const [query, width, height] of ROWS) {
    it(`${width} × ${height} pixels of 400 × 200 with ${query}`, async () => {
      const [, ...size] = await sizeOf(await get(jpeg, query));
      expect(size).to.deep.equal([width, height]);
    });
  }

  for (const [of, query, mediaType] of [
    ['PNG', '?width=64', 'image/png'],
    ['JPEG', '?width=64&format=png', 'image/png'],
    ['PNG', '?width=64&format=webp', 'image/webp'],
    ['PNG', '?width=64&format=avif', 'image/avif'],
  ] as const) {
    it(`the type ${mediaType} if made of a ${of} with ${query}`, async () => {
      const response = await get(of === 'PNG' ? png : jpeg, query);
      expect(response.headers['content-type']).to.equal(mediaType);
      expect(signatureOf(response.body as Buffer)).to.equal(mediaType);
    });
  }

  it('the caching and safety headers of an original', async () => {
    const [original, rendition] = [await get(jpeg), await get(jpeg, '?width=64')];
    for (const name of [
      'last-modified',
      'accept-ranges',
      'cache-control',
      'x-content-type-options',
      'content-security-policy',
      'cross-origin-resource-policy',
    ]) {
      expect([name, rendition.headers[name]]).to.deep.equal([name, original.headers[name] ?? 'missing']);
    }
  });

  it('no digest of the original', async () => {
    const { headers } = await get(jpeg, '?width=64');
    expect(headers).not.to.have.property('repr-digest');
  });

  it('the configured sides if the operator sets them', async () => {
    const other = await startWith({ RENDITION_SIZES: '100, 50' });
    const { id, links } = await other.upload(await picture(400, 200).jpeg().toBuffer());
    const statuses = [];
    for (const width of [50, 100, 320]) {
      statuses.push((await other.get(`/api/image/${id}/file?width=${width}`)).status);
    }
    await other.stop();
    expect(statuses).to.deep.equal([200, 200, 400]);
    expect(links.renditions.widths).to.deep.equal([50, 100]);
  });
}

function fileNames(): void {
  for (const [of, query, expected] of [
    ['JPEG', '?format=avif&download=true', 'attachment; filename="my cat.avif"'],
    ['PNG', '?format=webp', `inline; filename="ko?ka.webp"; filename*=UTF-8''ko%C4%8Dka.webp`],
  ] as const) {
    it(`${expected} with ${query}`, async () => {
      const { headers } = await get(of === 'PNG' ? png : jpeg, query);
      expect(headers['content-disposition']).to.equal(expected);
    });
  }

  it('like its original if only a download is requested, which returns the original', async () => {
    const response = await get(jpeg, '?download=true');
    expect(response.headers['content-disposition']).to.equal('attachment; filename="my cat.jpeg"');
    expect(response.headers.etag).to.equal(`"${jpeg.sha256}"`);
  });
}

function storedAboveLimits(): void {
  it('is 422 invalid_image, while the original is returned', async () => {
    const bytes = rawJpeg({ width: 64, height: 48, scans: 101 });
    const id = await storeEarlier(service, bytes, { width: 64, height: 48 });
    await service.putJson('/api/names/beyond', JSON.stringify({ id }));

    const original = await service.get(`/api/image/${id}/file`);
    const rendition = await service.get(`/api/image/${id}/file?width=16`);
    const negotiated = await service.get(`/api/image/${id}?width=16`).set('Accept', 'image/*');

    const named = await service.get('/api/names/beyond/file?width=16');

    expect([original.status, original.body]).to.deep.equal([200, bytes]);
    for (const refused of [rendition, negotiated, named]) {
      expect([refused.status, refused.body.code]).to.deep.equal([422, 'invalid_image']);
    }
  });

  it('is made if the catalog has taken a JPEG before that lacks image data, and so is its clean original', async () => {
    const whole = await picture(64, 48).jpeg().toBuffer();
    const bytes = Buffer.concat([whole.subarray(0, -12), whole.subarray(-2)]);
    expect((await service.post([filePart(bytes)])).status).to.equal(422);
    const id = await storeEarlier(service, bytes, { mediaType: 'image/jpeg', width: 64, height: 48 });

    for (const query of ['', '?width=16', '?metadata=none']) {
      expect((await service.get(`/api/image/${id}/file${query}`)).status, query).to.equal(200);
    }
  });
}

function automaticFormat(): void {
  it('the best of those that Accept names, and 406 if none of them suits', async () => {
    const [served, refused] = [
      await get(jpeg, '?width=64&format=auto').set('Accept', 'image/avif,image/webp,image/*,*/*;q=0.8'),
      await get(jpeg, '?width=64&format=auto').set('Accept', 'image/png'),
    ];
    expect([served.status, served.headers['content-type']]).to.deep.equal([200, 'image/avif']);
    expect([refused.status, refused.body.code]).to.deep.equal([406, 'not_acceptable']);
    for (const { headers } of [served, refused]) expect(headers.vary).to.match(/\bAccept\b/);
  });

  it('returned with "Vary: Accept" in a 304 too', async () => {
    const first = await get(jpeg, '?width=64&format=auto').set('Accept', 'image/webp');
    const again = await get(jpeg, '?width=64&format=auto')
      .set('Accept', 'image/webp')
      .set('If-None-Match', first.headers.etag ?? '');
    expect(again.status).to.equal(304);
    expect(again.headers.vary).to.match(/\bAccept\b/);
  });
}

function conditions(): void {
  it('is 304 without a body and an encode if the client has it, even if it is not cached', async () => {
    const { headers } = await get(jpeg, '?width=96');
    await emptyCache(service);
    encodes = 0;
    const again = await get(jpeg, '?width=96').set('If-None-Match', headers.etag ?? '');
    expect([again.status, again.text, encodes]).to.deep.equal([304, '', 0]);
    expect(again.headers).to.include({ etag: headers.etag, 'cache-control': headers['cache-control'] });
  });
}

function ranges(): void {
  for (const state of ['made now', 'made before'] as const) {
    it(`returns 206 for a range, ${state}`, async () => {
      const whole = (await get(jpeg, '?width=320')).body as Buffer;
      if (state === 'made now') await emptyCache(service);
      const response = await get(jpeg, '?width=320').set('Range', 'bytes=100-199');
      expect(response.status).to.equal(206);
      expect(response.body).to.deep.equal(whole.subarray(100, 200));
      expect(response.headers).to.include({
        'content-range': `bytes 100-199/${whole.length}`,
        'content-length': '100',
      });
    });
  }
}

function negotiation(): void {
  it('is the same as on /file if bytes are preferred', async () => {
    const query = '?width=64&height=64&fit=cover&format=webp&quality=50';
    const expected = await get(jpeg, query);
    const response = await service.get(`/api/image/${jpeg.id}${query}`).set('Accept', 'image/webp');
    expect(response.status).to.equal(200);
    expect(response.body).to.deep.equal(expected.body);
    expect(response.headers.etag).to.equal(expected.headers.etag);
    expect(response.headers.vary).to.match(/\bAccept\b/);
  });

  it('is 406 if neither its type nor JSON is acceptable', async () => {
    const response = await service.get(`/api/image/${jpeg.id}?format=webp`).set('Accept', 'image/png');
    expect(response.status).to.equal(406);
  });
}

function encoding(): void {
  it('not at all for HEAD after GET', async () => {
    await get(jpeg, '?width=32&quality=40');
    await service.head(`/api/image/${jpeg.id}/file?width=32&quality=40`);
    expect(encodes).to.equal(1);
  });

  describe('by an encode that', encodesUnderWay);
}

function encodesUnderWay(): void {
  let busy: TestService;
  let path: string;
  let begun: Gate;
  let end: Gate;

  beforeEach(async () => {
    busy = await startWith({ RENDITION_CONCURRENCY: '1' });
    [begun, end] = [new Gate(), new Gate()];
    watchEncodes(busy, async () => {
      encodes += 1;
      begun.open();
      await end.opened;
    });
    const { id } = await busy.upload(await picture(100, 100).jpeg().toBuffer());
    path = `/api/image/${id}/file?width=64`;
  });

  afterEach(async () => {
    end.open();
    await busy.stop();
  });

  it('is dropped from the queue if its last client disconnects', async () => {
    const staying = busy.get(path).then(({ status }) => status);
    await begun.opened;
    const asked = new Gate();
    wrapMaker(busy, (make, ...args) => {
      const made = make(...args);
      asked.open();
      return made;
    });
    const abandoned = await busy.connect();
    abandoned.send(requestHead('GET', `${path}&quality=50`, { Authorization: busy.bearer }));
    await asked.opened;
    abandoned.abandon();
    await busy.log.entry(({ msg }) => msg === 'client left');
    end.open();
    expect(await staying).to.equal(200);
    await busy.idle();
    expect(encodes).to.equal(1);
    expect(busy.log.atLeast(WARN)).to.deep.equal([]);
  });
}

function overload(): void {
  it('is 503 overloaded, with Retry-After', async () => {
    const busy = await TestService.start();
    wrapMaker(busy, () => Promise.reject(new Overloaded('renditions')));
    const { id } = await busy.upload(await picture(100, 100).jpeg().toBuffer());
    const response = await busy.get(`/api/image/${id}/file?width=64`);
    await busy.stop();
    expect([response.status, (response.body as { code: string }).code]).to.deep.equal([503, 'overloaded']);
    expect(Number(response.headers['retry-after'])).to.be.at.least(1);
    expect(response.headers).not.to.have.property('etag');
    expect(busy.log.atLeast(WARN)).to.have.length(1);
  });
}

function get(image: ImageRecord, query = ''): Test {
  return service.get(`/api/image/${image.id}/file${query}`);
}

async function sizeOf(response: Response): Promise<readonly [string, number, number]> {
  expect([response.status, response.status === 200 ? '' : response.text]).to.deep.equal([200, '']);
  const { format, width, height } = await sharp(response.body as Buffer).metadata();
  return [format, width, height];
}

/** Starts a service with other settings. */
async function startWith(environment: Readonly<Record<string, string>>): Promise<TestService> {
  return await TestService.start({
    openStorage: async (clock) => {
      const storage = await openSqliteAndFiles(clock);
      return { ...storage, environment: { ...storage.environment, ...environment } };
    },
  });
}

async function emptyCache(service: TestService): Promise<void> {
  const cache = service.container.get(TOKENS.renditions);
  for await (const uuid of cache.listImages()) await cache.removeAllOf(uuid);
}

/** Stripes, so that the quality affects the size. */
function picture(width: number, height: number): ReturnType<typeof sharp> {
  const pixels = Buffer.alloc(width * height * 3);
  for (let index = 0; index < pixels.length; index += 1) pixels[index] = (index * index) / 7;
  return sharp(pixels, { raw: { width, height, channels: 3 } });
}

function signatureOf(bytes: Buffer): string | undefined {
  if (bytes.readUInt16BE(0) === 0xffd8) return 'image/jpeg';
  if (bytes.toString('latin1', 1, 4) === 'PNG') return 'image/png';
  if (bytes.toString('latin1', 8, 12) === 'WEBP') return 'image/webp';
  return bytes.toString('latin1', 4, 12) === 'ftypavif' ? 'image/avif' : undefined;
}
