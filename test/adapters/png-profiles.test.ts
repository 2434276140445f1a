import { expect } from 'chai';
import { sharp } from '../../src/decoder/decoder-options.ts';
import { uploadOutcome } from '../support/fixtures/clean-file.ts';
import { profileChunk, withChunks } from '../support/fixtures/embedded-chunks.ts';
import { pngChunk } from '../support/fixtures/raw-pictures.ts';

const BOX = { width: 16, height: 16 };
const LINEAR = pngChunk('gAMA', Buffer.from('000186a0', 'hex'));
const CICP_OF_SRGB = pngChunk('cICP', Buffer.of(1, 13, 0, 1));
const CICP_OF_PQ = pngChunk('cICP', Buffer.of(9, 16, 0, 1));
const NO_PROFILE = profileChunk(Buffer.alloc(200, 'no profile'));

function picture(): ReturnType<typeof sharp> {
  return sharp({ create: { ...BOX, channels: 3, background: { r: 200, g: 83, b: 83 } } });
}

function withWrongCrc(chunk: Buffer): Buffer {
  return Buffer.concat([chunk.subarray(0, -4), Buffer.alloc(4)]);
}

describe('The colour profile of a PNG', () => {
  let png: Buffer;
  let palette: Buffer;
  let p3: Buffer;

  before(async () => {
    png = await picture().png().toBuffer();
    palette = await picture().png({ palette: true }).toBuffer();
    const { icc } = await sharp(await picture().withIccProfile('p3').png().toBuffer()).metadata();
    p3 = profileChunk(icc as Buffer);
  });

  /** Puts chunks between the palette and the pixels. */
  function afterPalette(...chunks: readonly Buffer[]): Buffer {
    const at = palette.indexOf('IDAT') - 4;
    return Buffer.concat([palette.subarray(0, at), ...chunks, palette.subarray(at)]);
  }

  const SAME: ReadonlyArray<readonly [what: string, file: () => Buffer, same: () => Buffer]> = [
    [
      'is ignored with a wrong checksum',
      () => withChunks(png, [withWrongCrc(p3), LINEAR]),
      () => withChunks(png, [LINEAR]),
    ],
    ['is ignored after a palette', () => afterPalette(p3, LINEAR), () => afterPalette(LINEAR)],
    [
      'counts after a chunk with a wrong checksum',
      () => withChunks(png, [withWrongCrc(NO_PROFILE), p3, LINEAR]),
      () => withChunks(png, [p3]),
    ],
    [
      'counts after a chunk that is no profile',
      () => withChunks(png, [NO_PROFILE, p3, LINEAR]),
      () => withChunks(png, [p3]),
    ],
    [
      'does not count after cICP, even if there are several',
      () => withChunks(png, [CICP_OF_SRGB, p3, p3]),
      () => png,
    ],
    [
      'does not count after cICP of PQ, even if there are several',
      () => withChunks(png, [p3, p3, CICP_OF_PQ]),
      () => png,
    ],
  ];
  for (const [what, file, same] of SAME) {
    it(what, async () => {
      const [{ hashes }, expected] = [await uploadOutcome(file()), await uploadOutcome(same())];

      expect(hashes.meanColour).to.deep.equal(expected.hashes.meanColour);
    });
  }

  it('changes the colours of the pictures of this test', async () => {
    const files = [png, withChunks(png, [p3]), withChunks(png, [LINEAR])];
    const colours = await Promise.all(
      files.map(async (file) => (await uploadOutcome(file)).hashes.meanColour),
    );

    expect(new Set(colours.map(String)).size).to.equal(files.length);
  });
});
