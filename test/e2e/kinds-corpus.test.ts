import { createHash } from 'node:crypto';
import { expect } from 'chai';
import type { ImageRecord } from '../../client/src/image-record.ts';
import type { MediaType } from '../../src/domain/image/media-type.ts';
import { uploadedId } from '../support/http/catalog-client.ts';
import { FOREIGN_FILES } from '../support/kinds/foreign-files.ts';
import { REFUSED_GIFS, VALID_GIFS } from '../support/kinds/made-gifs.ts';
import { REFUSED_WEBPS, VALID_WEBPS } from '../support/kinds/made-webps.ts';
import { MAX_UPLOAD_BYTES, type PictureCase } from '../support/kinds/picture-case.ts';
import { flatVp8l, webp } from '../support/kinds/webp-chunks.ts';
import { RunningCatalog } from '../support/servers/running-catalog.ts';

const LEAST_OF_EACH = 40;
const ALL = [...FOREIGN_FILES, ...VALID_GIFS, ...REFUSED_GIFS, ...VALID_WEBPS, ...REFUSED_WEBPS];
const KINDS = [
  ['GIF', 'image/gif'],
  ['WebP', 'image/webp'],
] as const;
/** The media type of a rendition, if its request names none. */
const RENDITION: Readonly<Partial<Record<MediaType, string>>> = {
  'image/gif': 'image/png',
  'image/webp': 'image/webp',
};
const CODES = { 413: 'file_too_large', 415: 'unsupported_media_type', 422: 'invalid_image' } as const;

async function upload(catalog: RunningCatalog, bytes: Buffer): Promise<Response> {
  return await catalog.client().upload(new Uint8Array(bytes), 'picture');
}

function startCatalog(env: Readonly<Record<string, string>> = {}): Promise<RunningCatalog> {
  return RunningCatalog.start({ env: { UPLOAD_MAX_BYTES: String(MAX_UPLOAD_BYTES), ...env } });
}

describe('A service that accepts all formats', () => {
  let catalog: RunningCatalog;
  let accepted = 0;

  before(async () => {
    catalog = await startCatalog({ INPUT_FORMATS: 'jpeg,png,webp,gif' });
  });

  after(() => catalog.stop());

  for (const [kind, mediaType] of KINDS) {
    const cases = ALL.filter((each) => each.mediaType === mediaType);

    it(`is tested with at least ${LEAST_OF_EACH} files of ${kind}`, () => {
      expect(cases.length).to.be.at.least(LEAST_OF_EACH);
    });

    for (const each of cases) {
      it(`returns ${each.expected.status} for ${kind}: ${each.name}`, async () => {
        await expectResponse(each);
      });
    }
  }

  async function expectResponse({ expected, mediaType, read }: PictureCase): Promise<void> {
    const bytes = await read();
    const response = await upload(catalog, bytes);
    const body = (await response.json()) as ImageRecord & { readonly code?: string };

    if (response.status === 201) accepted += 1;
    if (expected.status !== 201) {
      expect([response.status, body.code]).to.deep.equal([expected.status, CODES[expected.status]]);
      return;
    }
    const { width, height, frames } = expected;
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    expect(response.status, JSON.stringify(body)).to.equal(201);
    expect(body).to.include({ mediaType, width, height, frames, sha256, size: bytes.length });
    const rendition = await catalog.client().file(body.id, '?width=16');
    await rendition.body?.cancel();
    expect([rendition.status, rendition.headers.get('content-type')]).to.deep.equal([
      200,
      RENDITION[mediaType],
    ]);
  }

  it('makes a rendition of 45 megapixels of a WebP, which libvips would put into a file', async () => {
    const response = await upload(catalog, webp([flatVp8l({ width: 2_736, height: 16_383 })]));
    accepted += 1;
    const rendition = await catalog.client().file(uploadedId(response), '?format=jpeg');
    await rendition.body?.cancel();

    expect(rendition.status).to.equal(200);
  });

  it('keeps what it has accepted, nothing of what it has refused, and logs no errors', async () => {
    expect((await catalog.client().list()).length).to.equal(accepted);
    expect(await catalog.leftovers()).to.deep.equal([]);
    expect(catalog.errors()).to.deep.equal([]);
  });
});
