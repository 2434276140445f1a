import {
  bytesOfParts,
  type CleanPart,
  type KeptRange,
  requireCleanParts,
  sliceOfParts,
} from '../../domain/image/clean-parts.ts';
import type { Image } from '../../domain/image/image.ts';
import { CLEAN } from '../../domain/image/rendition.ts';
import type { ByteRange } from '../../domain/ports/bytes/blob-store.ts';
import { inMemory, type OpenedBlob } from '../../domain/ports/bytes/readable-bytes.ts';
import type { OpenImageFile } from './open-image-file.ts';
import type { OpenRendition, RenditionClient } from './open-rendition.ts';
import { PartJoiner } from './part-joiner.ts';

export interface CleanOriginal {
  /** Bytes. */
  readonly size: number;
  /** Equal texts mean equal bytes. Tells nothing about the original, unless it has the same bytes. */
  readonly tag: string;
  /** Throws what `OpenImageFile` throws. */
  readonly open: (range?: ByteRange) => Promise<OpenedBlob>;
}

/** The original without metadata. The cache holds its parts: most of the bytes are those of the original. */
export class OpenCleanOriginal {
  constructor(
    private readonly openRendition: OpenRendition,
    private readonly openImageFile: OpenImageFile,
  ) {}

  /** @throws {ImageNotFound | BlobLost | ImageBeyondLimits | InvalidImage | Overloaded | StorageUnavailable} */
  async execute(image: Image, client: RenditionClient): Promise<CleanOriginal> {
    const { bytes } = await this.openRendition.execute(image, CLEAN, client);
    const parts = requireCleanParts(JSON.parse(await textOf(bytes)), image.size);
    const size = bytesOfParts(parts);
    const isOriginal = parts.length === 1 && size === image.size;
    return {
      size,
      tag: isOriginal ? image.sha256 : this.openRendition.identify(image, CLEAN),
      open: async ({ start, end } = { start: 0, end: size - 1 }) => ({
        ...(await this.openParts(image, sliceOfParts(parts, start, end + 1))),
        size,
      }),
    };
  }

  /** Reads the original from the first to the last range. */
  private async openParts(image: Image, parts: readonly CleanPart[]): Promise<OpenedBlob> {
    const ranges = parts.filter((part): part is KeptRange => typeof part !== 'string');
    const [start, end] = [ranges.at(0)?.[0] ?? 0, ranges.at(-1)?.[1] ?? 1];
    const original = await this.openImageFile.execute(image, { start, end: end - 1 });
    const joiner = new PartJoiner(parts, start);
    if (original.buffered !== undefined) return inMemory(joiner.take(original.buffered));
    return { size: original.size, read: () => joined(original, joiner), close: () => original.close() };
  }
}

async function textOf(bytes: OpenedBlob): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of bytes.read()) text += decoder.decode(chunk, { stream: true });
  return text;
}

async function* joined(
  original: OpenedBlob,
  joiner: PartJoiner,
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const chunk of original.read()) {
    const bytes = joiner.take(chunk);
    if (bytes.length > 0) yield bytes;
  }
}
