import { expect } from 'chai';
import { textChunk, withChunks } from '../support/fixtures/embedded-chunks.ts';
import { exifBlock, withExif, withSegment } from '../support/fixtures/exif.ts';
import { fieldPart, filePart } from '../support/fixtures/multipart.ts';
import { jpegPicture, noisyPng } from '../support/fixtures/pictures.ts';
import {
  dataSet,
  photoshopBlock,
  XMP_SIGNATURE,
  xmpList,
  xmpPacket,
} from '../support/fixtures/written-blocks.ts';
import { startFor } from '../support/http/start-for.ts';
import { TestService } from '../support/http/test-service.ts';
import { flatVp8l, vp8x, webp, webpChunk, XMP } from '../support/kinds/webp-chunks.ts';

const service = startFor('all', () => TestService.start({ inputFormats: 'jpeg,png,webp' }));

interface Metadata {
  readonly tags: readonly string[];
  readonly capture: Readonly<Record<string, unknown>>;
}

/** What the service says about a file after its upload. */
async function metadataOf(file: Buffer): Promise<Metadata> {
  const { id } = await service.upload(file);
  return (await service.get(`/api/image/${id}/metadata`).expect(200)).body as Metadata;
}

function withXmp(jpeg: Buffer, packet: Buffer): Buffer {
  return withSegment(jpeg, 0xe1, Buffer.concat([Buffer.from(XMP_SIGNATURE, 'latin1'), packet]));
}

const PACKET = xmpPacket(
  xmpList('dc:title', 'Alt', ['Chelsea']) +
    xmpList('dc:description', 'Alt', ['On the sofa,\nasleep']) +
    xmpList('Iptc4xmpCore:AltTextAccessibility', 'Alt', ['A tabby on a sofa']) +
    xmpList('dc:creator', 'Seq', ['Ann', 'Bo']),
  'photoshop:Credit="Reuters" xmpRights:WebStatement="https://example.com"',
);
const SAID = { title: 'Chelsea', description: 'On the sofa,\nasleep', alt: 'A tabby on a sofa' };
const CREDITS = { creator: 'Ann, Bo', credit: 'Reuters', usageTerms: 'https://example.com' };

describe('The texts of a file', () => {
  it('become those of the image, whatever the kind of the picture', async () => {
    const [jpeg, png] = await Promise.all([jpegPicture(30, 20), noisyPng(30, 20)]);
    const chunk = textChunk('compressed iTXt', 'XML:com.adobe.xmp', PACKET);
    const box = { width: 30, height: 20 };
    const files = [
      withXmp(jpeg, PACKET),
      withChunks(png, [chunk]),
      Buffer.concat([png.subarray(0, -12), chunk, png.subarray(-12)]),
      webp([vp8x(box, XMP), flatVp8l(box), webpChunk('XMP ', PACKET)]),
    ];
    for (const [at, file] of files.entries()) {
      const { capture, ...said } = await metadataOf(file);
      expect(said, `file ${at}`).to.deep.include(SAID);
      expect(capture, `file ${at}`).to.deep.include({ ...CREDITS, copyright: null });
    }
  });

  it('are left out where the upload sets a field, to null as well, and do not come back', async () => {
    const file = withXmp(await jpegPicture(30, 20), PACKET);
    const upload = async (metadata: object): Promise<Metadata> => {
      const parts = [filePart(file), fieldPart('metadata', JSON.stringify(metadata))];
      const { id, ...record } = (await service.post(parts).expect(201)).body as Metadata & { id: number };
      const path = `/api/image/${id}/metadata`;
      const found = await service.get(path).expect(200);
      expect(found.headers['etag']).to.equal('"m1"');
      expect(record).to.include({ alt: found.body.alt });
      // Null in a patch clears, and does not go back to the file.
      const cleared = await service.patchJson(path, '{"title":null}', 'application/merge-patch+json');
      expect(cleared.body).to.include({ title: null });
      return found.body as Metadata;
    };

    expect(await upload({ title: null, alt: '' })).to.deep.include({ ...SAID, title: null, alt: '' });
    expect(await upload({ description: 'Mine' })).to.deep.include({ ...SAID, description: 'Mine' });
  });

  it('are found by their words, creators included, unless METADATA_TEXTS is ignore', async () => {
    const ignoring = await TestService.start({ metadataTexts: 'ignore' });
    const file = withXmp(await jpegPicture(30, 21), PACKET);
    const { id } = await ignoring.upload(file);
    const ignored = (await ignoring.get(`/api/image/${id}/metadata`)).body as Metadata;
    await ignoring.stop();
    const stored = await service.upload(file);
    const found = await service.get('/api/images?q=ann+bo+tabby&order=desc&limit=1').expect(200);

    expect((found.body as Array<{ id: number }>)[0]?.id).to.equal(stored.id);
    expect(ignored).to.deep.include({ title: null, description: null, alt: null });
    expect(ignored.capture).to.deep.include({
      creator: null,
      copyright: null,
      credit: null,
      usageTerms: null,
    });
  });

  it('come from IPTC and EXIF if the file has no XMP', async () => {
    const iptc = photoshopBlock(dataSet(0x0205, 'Chelsea'), dataSet(0x0278, 'On the sofa,\rasleep'));
    const exif = exifBlock({ image: { 0x013b: 'Ann, Bo', 0x8298: '© Ann' } });

    const found = await metadataOf(withExif(withSegment(await jpegPicture(30, 20), 0xed, iptc), exif));

    expect(found).to.deep.include({ ...SAID, alt: null });
    expect(found.capture).to.deep.include({ creator: 'Ann, Bo', copyright: '© Ann', credit: null });
  });

  it('are stored if all of them are as long as can be, with as many keywords', async () => {
    const cats = (length: number): string => '🐈'.repeat(length);
    const tags = Array.from({ length: 100 }, (_, at) => String.fromCodePoint(0x1f300 + at).repeat(64));
    const lists: ReadonlyArray<readonly [property: string, values: readonly string[]]> = [
      ['dc:subject', tags],
      ['dc:title', [cats(200)]],
      ['dc:description', [cats(5_000)]],
      ['Iptc4xmpCore:AltTextAccessibility', [cats(500)]],
      ['dc:creator', [cats(500)]],
      ['dc:rights', [cats(500)]],
      ['photoshop:Credit', [cats(500)]],
      ['xmpRights:UsageTerms', [cats(500)]],
    ];
    const packet = xmpPacket(lists.map(([property, values]) => xmpList(property, 'Alt', values)).join(''));
    const exif = exifBlock({
      image: { 0x010f: cats(200), 0x0110: cats(200) },
      photo: { 0xa434: cats(200) },
    });

    const {
      tags: found,
      capture,
      ...said
    } = await metadataOf(withExif(withXmp(await jpegPicture(30, 20), packet), exif));

    expect([...found].toSorted()).to.deep.equal(tags.toSorted());
    expect(said).to.include({ title: cats(200), description: cats(5_000), alt: cats(500) });
    expect(capture).to.include({ make: cats(200), model: cats(200), lens: cats(200) });
    expect(capture).to.include({ creator: cats(500), copyright: cats(500) });
    expect(capture).to.include({ credit: cats(500), usageTerms: cats(500) });
  });
});
