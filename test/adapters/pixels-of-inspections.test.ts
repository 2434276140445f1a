import { createReadStream } from 'node:fs';
import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { thumbHashToRGBA } from 'thumbhash';
import type { Ask } from '../../src/adapters/decoder/decode-job.ts';
import { DecodeMemory } from '../../src/adapters/decoder/decode-memory.ts';
import { DecoderImageInspector } from '../../src/adapters/decoder/decoder-image-inspector.ts';
import type { DecoderPool } from '../../src/adapters/decoder/decoder-pool.ts';
import { DecoderRenditionMaker } from '../../src/adapters/decoder/decoder-rendition-maker.ts';
import { PixelMemory } from '../../src/adapters/decoder/pixel-memory.ts';
import { sharp } from '../../src/decoder/decoder-options.ts';
import type { Frame } from '../../src/decoder/protocol.ts';
import type { Rendition, RenditionFormat } from '../../src/domain/image/rendition.ts';
import type { HeldPixels } from '../../src/domain/ports/pictures/held-pixels.ts';
import type { InspectedFile, Inspection } from '../../src/domain/ports/pictures/image-inspector.ts';
import type { RenditionSource } from '../../src/domain/ports/pictures/rendition-maker.ts';
import { DECODERS, VERSIONS } from '../support/doubles/decoders.ts';
import { madeBytes } from '../support/doubles/made-bytes.ts';
import { STAYING } from '../support/doubles/staying.ts';
import { ACCEPTED, type CorpusImage, corpusImage, corpusIsSet } from '../support/fixtures/corpus.ts';
import { newImage } from '../support/fixtures/new-image.ts';
import { pixelLimits } from '../support/fixtures/pixel-limits.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/fixtures/temporary-folder.ts';

const MAX_PIXELS = 50_000_000;
const BY_A_CLIENT = { signal: STAYING, subject: 'a' };
const FORMATS: readonly RenditionFormat[] = ['jpeg', 'png', 'webp', 'avif'];
/** Narrow, so that most files of the corpus are at least nine times as wide. */
const WIDTH = 64;

const memory = new PixelMemory(new DecodeMemory(1024 ** 3), 1024 ** 3);
const inspector = new DecoderImageInspector(pixelLimits(MAX_PIXELS), DECODERS, {
  wanted: { width: WIDTH, memory },
});
const maker = new DecoderRenditionMaker(pixelLimits(MAX_PIXELS), DECODERS, VERSIONS);

type Picture = Pick<CorpusImage, 'path' | 'mediaType'>;

async function inspect({ path, mediaType }: Picture): Promise<Inspection> {
  return await inspector.inspect(await fileAt(path), mediaType, BY_A_CLIENT);
}

async function fileAt(localPath: string): Promise<InspectedFile> {
  return {
    size: (await stat(localPath)).size,
    sha256: localPath,
    localPath,
    read: () => createReadStream(localPath),
  };
}

async function make(
  { path, mediaType }: Picture,
  { facts, pixels }: Pick<Inspection, 'facts' | 'pixels'>,
  stated: Partial<Rendition>,
): Promise<{ readonly bytes: string; readonly opened: number }> {
  let opened = 0;
  const open = async (): ReturnType<RenditionSource['open']> => {
    opened += 1;
    return { ...(await fileAt(path)), close: async () => undefined };
  };
  const image = { ...newImage({ ...facts, mediaType }), id: 1, createdAt: new Date() };
  const rendition: Rendition = { width: WIDTH, fit: 'inside', format: 'webp', quality: 75, ...stated };
  const made = await madeBytes(maker, { image, open, pixels }, rendition, BY_A_CLIENT);
  return { bytes: Buffer.from(made).toString('base64'), opened };
}

async function expectEqualBytes(picture: Picture): Promise<void> {
  const inspection = await inspect(picture);
  for (const format of FORMATS) {
    const fromOriginal = await make(picture, { facts: inspection.facts }, { format });
    const fromPixels = await make(picture, inspection, { format });
    expect(fromPixels.bytes, format).to.equal(fromOriginal.bytes);
  }
}

let folder: TemporaryFolder;

function useFolder(): void {
  before(async () => {
    folder = await temporaryFolder();
  });

  after(async () => {
    await folder.remove();
  });
}

async function written(bytes: Buffer, mediaType: Picture['mediaType']): Promise<Picture> {
  const path = join(folder.path, `${Math.random()}`);
  await writeFile(path, bytes);
  return { path, mediaType };
}

describe('Pixels of an inspection', () => {
  useFolder();

  describe('become the same bytes as the original', () => {
    corpusIsSet();

    for (const image of ACCEPTED) it(image.file, () => expectEqualBytes(image));

    it('of a JPEG with 300 dots per inch', async () => {
      const { path } = await corpusImage('orientation-landscape-6.jpg');
      const bytes = await sharp(path).withMetadata({ density: 300 }).jpeg().toBuffer();

      await expectEqualBytes(await written(bytes, 'image/jpeg'));
    });
  });

  for (const format of ['webp', 'avif', 'jpeg'] as const) {
    it(`save opening the original for ${format}`, async () => {
      const image = await corpusImage('orientation-landscape-6.jpg');

      expect((await make(image, await inspect(image), { format })).opened).to.equal(0);
    });
  }

  for (const [what, stated] of [
    ['a PNG, which has the resolution of the original', { format: 'png' }],
    ['another size', { width: 48 }],
    ['another fit', { height: 48, fit: 'cover' }],
  ] as const) {
    it(`are not used for ${what}`, async () => {
      const image = await corpusImage('orientation-landscape-6.jpg');

      expect((await make(image, await inspect(image), stated)).opened).to.equal(1);
    });
  }

  it('with transparency are not used for a JPEG', async () => {
    const image = await corpusImage('sharp-16-bit-grey-alpha.png');

    expect((await make(image, await inspect(image), { format: 'jpeg' })).opened).to.equal(1);
  });

  it('are not used after they were released', async () => {
    const image = await corpusImage('orientation-landscape-6.jpg');
    const inspection = await inspect(image);
    inspection.pixels?.release();

    expect((await make(image, inspection, {})).opened).to.equal(1);
  });

  it('are upright', async () => {
    const { pixels } = await inspect(await corpusImage('orientation-landscape-6.jpg'));

    expect(sizeOf(pixels)).to.deep.equal([64, 43, 3]);
  });

  it('give almost the same placeholder as a decode for it alone', async () => {
    const image = await corpusImage('orientation-landscape-6.jpg');
    const plain = new DecoderImageInspector(pixelLimits(MAX_PIXELS), DECODERS);
    const { facts } = await plain.inspect(await fileAt(image.path), image.mediaType, BY_A_CLIENT);

    const [one, other] = [coloursOf(facts.thumbhash), coloursOf((await inspect(image)).facts.thumbhash)];
    const differences = one.map((value, index) => Math.abs(value - (other[index] ?? Number.NaN)));
    expect(differences.reduce((sum, value) => sum + value, 0) / differences.length).to.be.below(4);
  });
});

describe('The held pixels of an inspection', () => {
  useFolder();

  for (const [width, height, isOffered] of [
    [9 * WIDTH, 9 * 43, true],
    [9 * WIDTH - 1, 9 * 43, false],
    [4 * WIDTH, 9 * WIDTH, false],
  ] as const) {
    it(`are ${isOffered ? '' : 'not '}offered for a JPEG of ${width} × ${height}`, async () => {
      const create = { width, height, channels: 3 as const, background: '#336699' };
      const { pixels } = await inspect(
        await written(await sharp({ create }).jpeg().toBuffer(), 'image/jpeg'),
      );

      expect(pixels !== undefined).to.equal(isOffered);
    });
  }

  it('are offered for every PNG, because its decoder cannot shrink', async () => {
    const create = { width: 30, height: 20, channels: 4 as const, background: '#33669980' };
    const { pixels } = await inspect(await written(await sharp({ create }).png().toBuffer(), 'image/png'));

    expect(sizeOf(pixels)).to.deep.equal([30, 20, 4]);
  });

  it('are not sent if they are more than are held', async () => {
    const create = { width: 30, height: 20, channels: 4 as const, background: '#33669980' };
    const picture = await written(await sharp({ create }).png().toBuffer(), 'image/png');
    const sent: unknown[] = [];
    for (const maxBytes of [30 * 20 * 4 - 1, 30 * 20 * 4]) {
      const held = new PixelMemory(new DecodeMemory(1024 ** 3), maxBytes);
      const pool = recordingPool(({ body }) => sent.push(body.length));
      const poor = new DecoderImageInspector(pixelLimits(MAX_PIXELS), pool, {
        wanted: { width: WIDTH, memory: held },
      });
      await poor.inspect(await fileAt(picture.path), picture.mediaType, BY_A_CLIENT);
    }

    // For each picture, the reply with its structure is first.
    expect(sent).to.deep.equal([0, 0, 0, 30 * 20 * 4]);
  });

  it('are not there without memory for them', async () => {
    const { path, mediaType } = await corpusImage('orientation-landscape-6.jpg');
    const none = new PixelMemory(new DecodeMemory(1024 ** 3), 0);
    const poor = new DecoderImageInspector(pixelLimits(MAX_PIXELS), DECODERS, {
      wanted: { width: WIDTH, memory: none },
    });

    expect(await poor.inspect(await fileAt(path), mediaType, BY_A_CLIENT)).to.have.property(
      'pixels',
      undefined,
    );
  });
});

function recordingPool(record: (reply: Frame) => void): DecoderPool {
  const run: DecoderPool['run'] = (job, work) =>
    DECODERS.run(job, ({ ask, reserve }) => {
      const recording: Ask = async (question) =>
        await ask({
          ...question,
          parse: (reply) => {
            record(reply);
            return question.parse(reply);
          },
        });
      return work({ ask: recording, reserve });
    });
  return { run } as DecoderPool;
}

function sizeOf(held: HeldPixels | undefined): readonly unknown[] {
  const pixels = held?.read();
  return [pixels?.width, pixels?.height, pixels?.channels];
}

function coloursOf(thumbhash: string): readonly number[] {
  return [...thumbHashToRGBA(Buffer.from(thumbhash, 'base64')).rgba];
}
