import type { Sharp } from 'sharp';
import { sharp } from '../../../src/decoder/decoder-options.ts';
import type { InputFormat } from '../../../src/domain/image/media-type.ts';
import { pngChunk } from '../../support/fixtures/raw-pictures.ts';
import { gifFrame, gifHead, gifLoop, graphicControl } from '../../support/kinds/gif-blocks.ts';
import { ANIMATION, anim, anmf, chunksOf, flatVp8l, vp8x } from '../../support/kinds/webp-chunks.ts';
import { pictureParts } from '../picture-parts.ts';

/** A small picture, part by part. The first part begins the file, and what ends or surrounds the parts is missing. */
export type Stem = readonly Buffer[];

export type Stems = Readonly<Record<InputFormat, readonly Stem[]>>;

const [WIDTH, HEIGHT] = [11, 7];
const BOX = { width: WIDTH, height: HEIGHT };

/** With what section 18 of the contract keeps, and nothing else but EXIF that sharp writes with a rotation. */
export async function cleanStems(): Promise<Stems> {
  const noise = Buffer.from(Array.from({ length: WIDTH * HEIGHT * 3 }, (_, at) => (at * 37) % 251));
  const image = sharp(noise, { raw: { ...BOX, channels: 3 } });
  const coloured = image.clone().withIccProfile('p3');
  const turned = coloured.clone().withMetadata({ orientation: 6, density: 300 });
  const all = async (pictures: readonly Sharp[], partsOf: (file: Buffer) => Stem): Promise<readonly Stem[]> =>
    await Promise.all(pictures.map(async (picture) => partsOf(await picture.toBuffer())));
  const frame = gifFrame(BOX);
  const controlled = [graphicControl(2, 1), gifFrame({ ...BOX, colours: 8, codeSize: 3 })];
  return {
    jpeg: await all(
      [
        image.clone().jpeg(),
        turned.clone().jpeg({ progressive: true }),
        coloured.clone().jpeg({ chromaSubsampling: '4:4:4' }),
        image.clone().greyscale().jpeg(),
        image.clone().toColourspace('cmyk').jpeg(),
      ],
      (file) => pictureParts('jpeg', file),
    ),
    png: [
      ...(await all(
        [
          turned.clone().png(),
          image.clone().png({ palette: true, progressive: true }),
          image.clone().greyscale().png(),
          image.clone().ensureAlpha(0.5).png(),
        ],
        pngPartsOf,
      )),
      animated(pngPartsOf(await coloured.clone().png().toBuffer())),
    ],
    webp: [
      ...(await all(
        [
          image.clone().webp(),
          turned.clone().webp({ lossless: true }),
          coloured.clone().ensureAlpha(0.5).webp(),
        ],
        chunksOf,
      )),
      [vp8x(BOX, ANIMATION), anim(3), anmf(BOX, [flatVp8l(BOX)]), anmf(BOX, [flatVp8l(BOX)], 2)],
    ],
    gif: [
      [gifHead(BOX), frame],
      [gifHead({ ...BOX, colours: 0 }), gifLoop(5), ...controlled, ...controlled],
      [
        gifHead(BOX),
        gifLoop(0),
        graphicControl(1),
        frame,
        graphicControl(3, 0),
        gifFrame({ width: 3, height: 2, left: 4 }),
      ],
    ],
  };
}

const pngPartsOf = (file: Buffer): Stem => pictureParts('png', file);

/** APNG: its second frame is that of the PNG. */
function animated(png: Stem): Stem {
  const at = png.findIndex((part) => part.toString('latin1', 4, 8) === 'IDAT');
  const control = (sequence: number): Buffer => {
    const content = Buffer.alloc(26);
    for (const [index, value] of [sequence, WIDTH, HEIGHT].entries()) content.writeUInt32BE(value, 4 * index);
    return pngChunk('fcTL', content);
  };
  const pixels = png.slice(at);
  const frame = Buffer.concat([Buffer.of(0, 0, 0, 2), ...pixels.map((part) => part.subarray(8, -4))]);
  const start = pngChunk('acTL', Buffer.of(0, 0, 0, 2, 0, 0, 0, 3));
  return [...png.slice(0, at), start, control(0), ...pixels, control(1), pngChunk('fdAT', frame)];
}
