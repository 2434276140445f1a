import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { InvalidImage } from '../../domain/errors.ts';
import { type Rendition, renditionBox } from '../../domain/image/rendition.ts';
import type { OpenedBlob } from '../../domain/ports/blob-store.ts';
import type {
  RenditionMaker,
  RenditionRequester,
  RenditionSource,
} from '../../domain/ports/rendition-maker.ts';
import { planRendition } from './decode-memory.ts';
import type { DecodeQueue, ReserveMemory } from './decode-queue.ts';
import { readStructure } from './read-structure.ts';
import { render, renderInTwoStages } from './render.ts';
import { sharp } from './sharp.ts';

/** Raised by hand whenever a change here makes other bytes of the same rendition. */
const RECIPE = 2;

/** Makes renditions with sharp, one libvips thread each. */
export class SharpRenditionMaker implements RenditionMaker {
  readonly version: string = createHash('sha256')
    .update(JSON.stringify([RECIPE, sharp.versions]))
    .digest('hex')
    .slice(0, 8);

  /**
   * @param maxPixels width × height of an original that is still decoded
   * @param queue bounds what is decoded at a time
   */
  constructor(
    private readonly maxPixels: number,
    private readonly queue: DecodeQueue,
  ) {}

  async make(
    source: RenditionSource,
    rendition: Rendition,
    requester: RenditionRequester,
  ): Promise<Uint8Array> {
    return await this.queue.run((reserve) => this.makeNow(source, rendition, reserve), requester);
  }

  private async makeNow(
    { image, open }: RenditionSource,
    rendition: Rendition,
    reserve: ReserveMemory,
  ): Promise<Uint8Array> {
    const original = await open();
    try {
      const input = await inputOf(original);
      const bytes = typeof input === 'string' ? original.bytes : input;
      const { mediaType, size } = image;
      const maxPixels = Math.min(this.maxPixels, image.width * image.height);
      const structure = await readStructure({ mediaType, size, bytes }, maxPixels);
      const box = renditionBox(image, rendition);
      const plan = planRendition(structure, box, rendition.format);
      await reserve(plan.bytes + (typeof input === 'string' ? 0 : size));
      try {
        const draw = plan.inTwoStages ? renderInTwoStages : render;
        return await draw({ input, maxPixels, box, rendition });
      } catch (error) {
        // The original may have been deleted since it was opened: then opening it again says so.
        await (await open()).close();
        throw new InvalidImage(mediaType, 'cannot be rendered', { cause: error });
      }
    } finally {
      await original.close();
    }
  }
}

/** libvips reads a path as it goes; bytes that come over a network are brought into memory. */
async function inputOf({ bytes, localPath }: OpenedBlob): Promise<string | Uint8Array> {
  if (bytes instanceof Uint8Array) return bytes;
  return localPath ?? (await buffer(bytes));
}
