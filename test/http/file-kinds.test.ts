import { expect } from 'chai';
import { FILE_KIND_NAMES, type FileKind } from '../../src/domain/image/file-kind.ts';
import { TOKENS } from '../../src/infrastructure/tokens.ts';
import { filePart } from '../support/fixtures/multipart.ts';
import { pngPicture } from '../support/fixtures/pictures.ts';
import { Scrape } from '../support/http/scrape.ts';
import { TicketedService } from '../support/http/ticketed-service.ts';
import { FIRST_BYTES } from '../support/kinds/first-bytes.ts';

const METRIC = 'image_catalog_uploads_refused_kind_total';
const ALL_KINDS = [
  'heic',
  'avif',
  'jpeg',
  'png',
  'webp',
  'gif',
  'tiff',
  'bmp',
  'jxl',
  'svg',
  'pdf',
  'raw',
  'other',
];

let tickets: TicketedService;

async function counts(): Promise<Readonly<Record<string, number>>> {
  await tickets.service.idle();
  await tickets.web.idle();
  const scrape = new Scrape(await tickets.service.container.get(TOKENS.telemetry).metrics.text());
  return Object.fromEntries(scrape.all(METRIC).map(({ labels, value }) => [labels['kind'], value]));
}

async function countOf(kind: FileKind): Promise<number | undefined> {
  return (await counts())[kind];
}

function refusal(kind: FileKind, accepted: string): object {
  const found = kind === 'other' ? '' : `${FILE_KIND_NAMES[kind]}, `;
  return { code: 'unsupported_media_type', message: `The file is ${found}not a ${accepted} image` };
}

function useService(inputFormats?: string): void {
  before(async () => {
    tickets = await TicketedService.start(inputFormats === undefined ? {} : { inputFormats });
  });

  after(async () => await tickets.stop());

  afterEach(async () => {
    expect(await tickets.leftovers()).to.deep.equal([]);
  });
}

describe('A file that is not accepted', () => {
  useService();

  it('is counted by kind from 0 on', async () => {
    expect(await counts()).to.deep.equal(Object.fromEntries(ALL_KINDS.map((kind) => [kind, 0])));
  });

  for (const { what, kind, bytes } of FIRST_BYTES) {
    if (kind === 'jpeg' || kind === 'png') continue;

    it(`is named and counted by its first bytes, however it is uploaded: ${what}`, async () => {
      const before = (await countOf(kind)) ?? Number.NaN;
      const responses = [
        await tickets.service.post([filePart(bytes, 'cat.jpg')]),
        await tickets.service.post([filePart(bytes, 'cat.jpg')], '?name=cat'),
        await tickets.upload(await tickets.ticket(), bytes, 'cat.jpg'),
      ];
      for (const { status, body } of responses) {
        expect([status, body]).to.deep.equal([415, refusal(kind, 'JPEG or PNG')]);
      }
      expect(await countOf(kind)).to.equal(before + responses.length);
    });
  }

  it('is named and counted if its ticket has been used', async () => {
    const png = await pngPicture();
    const path = await tickets.ticket();
    const before = (await countOf('heic')) ?? Number.NaN;
    await tickets.upload(path, png).expect(201);
    // Of the same length, or the length would tell that it is another file.
    const heic = Buffer.concat([Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic'), png]).subarray(
      0,
      png.length,
    );
    const { body } = await tickets.upload(path, heic).expect(415);
    expect(body).to.deep.equal(refusal('heic', 'JPEG or PNG'));
    expect(await countOf('heic')).to.equal(before + 1);
  });

  it('is not counted if the request is refused for its own type or coding', async () => {
    const { service } = tickets;
    const before = await counts();
    const typed = await service.postBody(await pngPicture(), 'image/png');
    const packed = await service.post([filePart(await pngPicture())]).set('Content-Encoding', 'gzip');
    expect([typed.status, packed.status]).to.deep.equal([415, 415]);
    expect(await counts()).to.deep.equal(before);
  });
});

describe('A JPEG or PNG that is not accepted', () => {
  useService('webp,gif');

  for (const { what, kind, bytes } of FIRST_BYTES) {
    if (kind !== 'jpeg' && kind !== 'png') continue;

    it(`is named and counted by its first bytes: ${what}`, async () => {
      const { body } = await tickets.service.post([filePart(bytes)]).expect(415);
      expect(body).to.deep.equal(refusal(kind, 'WebP or GIF'));
      expect(await countOf(kind)).to.equal(1);
    });
  }
});
