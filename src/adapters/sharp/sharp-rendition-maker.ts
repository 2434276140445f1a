import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { InvalidImage, Overloaded } from '../../domain/errors.ts';
import { type Rendition, renditionBox } from '../../domain/image/rendition.ts';
import { inMemory, type ReadableBytes } from '../../domain/ports/readable-bytes.ts';
import type {
  RenditionMaker,
  RenditionRequester,
  RenditionSource,
} from '../../domain/ports/rendition-maker.ts';
import { encodingBytes, planRendition } from './decode-memory.ts';
import type { DecodeQueue, ReserveMemory } from './decode-queue.ts';
import { readStructure } from './read-structure.ts';
import { canEncode, encodePixels, render, renderInTwoStages } from './render.ts';
import { isTimeout, sharp } from './sharp.ts';

/** Raised by hand whenever a change alters the bytes of a rendition. */
const RECIPE = 2;

/** One libvips thread each. */
export class SharpRenditionMaker implements RenditionMaker {
  readonly version: string = createHash('sha256')
    .update(JSON.stringify([RECIPE, sharp.versions]))
    .digest('hex')
    .slice(0, 8);

  constructor(
    private readonly maxPixels: number,
    private readonly queue: DecodeQueue,
  ) {}

  async make(
    source: RenditionSource,
    rendition: Rendition,
    requester: RenditionRequester,
  ): Promise<Uint8Array> {
    const job = (reserve: ReserveMemory): Promise<Uint8Array> => this.makeNow(source, rendition, reserve);
    if (requester.isAhead === true) return await this.queue.runAhead(job, requester.signal);
    return await this.queue.run(job, requester);
  }

  private async makeNow(
    source: RenditionSource,
    rendition: Rendition,
    reserve: ReserveMemory,
  ): Promise<Uint8Array> {
    const pixels = source.pixels?.read();
    const box = renditionBox(source.image, rendition);
    if (pixels === undefined || !canEncode(pixels, rendition, box))
      return await this.makeFromOriginal(source, rendition, reserve);
    await reserve(encodingBytes(box, rendition.format));
    return await encodePixels(pixels, rendition);
  }

  private async makeFromOriginal(
    { image, open }: RenditionSource,
    rendition: Rendition,
    reserve: ReserveMemory,
  ): Promise<Uint8Array> {
    const original = await open();
    try {
      const input = await inputOf(original);
      const file = typeof input === 'string' ? original : inMemory(input);
      const { mediaType, size } = image;
      const maxPixels = Math.min(this.maxPixels, image.width * image.height);
      const structure = await readStructure(file, mediaType, maxPixels);
      const box = renditionBox(image, rendition);
      const plan = planRendition(structure, box, rendition.format);
      await reserve(plan.bytes + (typeof input === 'string' ? 0 : size));
      try {
        const draw = plan.inTwoStages ? renderInTwoStages : render;
        return await draw({ input, maxPixels, box, rendition });
      } catch (error) {
        // The original may have been deleted since it was opened: then opening it again says so.
        await (await open()).close();
        if (isTimeout(error)) throw new Overloaded({ cause: error });
        throw new InvalidImage(mediaType, 'cannot be rendered', { cause: error });
      }
    } finally {
      await original.close();
    }
  }
}

/** libvips reads a path as it goes; bytes from a network are read into memory. */
async function inputOf(original: ReadableBytes): Promise<string | Uint8Array> {
  return original.buffered ?? original.localPath ?? (await buffer(original.read()));
}
