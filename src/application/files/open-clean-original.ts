import {
  areCheapToJoin,
  bytesOfParts,
  type CleanPart,
  type KeptRange,
  requireCleanParts,
  sliceOfParts,
} from '../../domain/image/clean-parts.ts';
import type { Image } from '../../domain/image/image.ts';
import { CLEAN, derivativeName } from '../../domain/image/rendition.ts';
import type { ByteRange } from '../../domain/ports/bytes/blob-store.ts';
import { inMemory, type OpenedBlob } from '../../domain/ports/bytes/readable-bytes.ts';
import type { CleanForm, RecentCleanForms } from '../../domain/ports/bytes/recent-clean-forms.ts';
import type { RenditionMaker } from '../../domain/ports/pictures/rendition-maker.ts';
import type { Keep, MadeFiles, RenditionClient } from './made-files.ts';
import type { OpenImageFile } from './open-image-file.ts';
import type { OpenRendition } from './open-rendition.ts';
import { PartJoiner } from './part-joiner.ts';

export interface CleanOriginal {
  /** Bytes. */
  readonly size: number;
  /** Equal texts mean equal bytes. Tells nothing about the original, unless it has the same bytes. */
  readonly tag: string;
  /** Throws what `OpenImageFile` throws, and what making the file throws if the cache has lost it. */
  readonly open: (range?: ByteRange) => Promise<OpenedBlob>;
  /** Resolves if the original is there, of which the file can be made again. Throws what `OpenImageFile` throws. */
  readonly requireOriginal: () => Promise<void>;
}

const FIRST_BYTE: ByteRange = { start: 0, end: 0 };

/**
 * The original without metadata. Most of its bytes are those of the original, so that the cache usually holds only a short list of
 * parts. If the parts are many, or far from each other, it holds the bytes as a file, and their number in place of the list.
 */
export class OpenCleanOriginal {
  constructor(
    private readonly files: MadeFiles,
    private readonly forms: RecentCleanForms,
    private readonly openRendition: Pick<OpenRendition, 'identify'>,
    private readonly openImageFile: OpenImageFile,
    private readonly maker: RenditionMaker,
  ) {}

  /** @throws {ImageNotFound | BlobLost | ImageBeyondLimits | InvalidImage | Overloaded | StorageUnavailable} */
  async execute(image: Image, client: RenditionClient): Promise<CleanOriginal> {
    const form = await this.formOf(image, client);
    const { size } = form;
    const isOriginal = form.kind === 'parts' && form.parts.length === 1 && size === image.size;
    const whole = { start: 0, end: size - 1 };
    return {
      size,
      tag: isOriginal ? image.sha256 : this.openRendition.identify(image, CLEAN),
      open: async (range = whole) =>
        form.kind === 'file'
          ? await this.openFile(image, client, range)
          : { ...(await this.openParts(image, sliceOfParts(form.parts, range.start, range.end + 1))), size },
      requireOriginal: async () => await (await this.openImageFile.execute(image, FIRST_BYTE)).close(),
    };
  }

  private async formOf(image: Image, client: RenditionClient): Promise<CleanForm> {
    const name = this.nameOf('.json');
    const path = `${image.uuid}/${name}`;
    const form = this.forms.get(path) ?? (await this.loadForm(image, name, client));
    this.forms.set(path, form);
    return form;
  }

  private async loadForm(image: Image, name: string, client: RenditionClient): Promise<CleanForm> {
    const make = (signal: AbortSignal, keep: Keep): Promise<void> =>
      this.makeParts(image, client, signal, async (list) => {
        const parts = partsIn(list, image);
        if (areCheapToJoin(parts)) return await keep(list);
        await this.makeFile(image, parts, { ...client, leaving: () => signal });
        await keep(new TextEncoder().encode(JSON.stringify({ size: bytesOfParts(parts) })));
      });
    const { bytes } = await this.files.open({ image, name, make }, client);
    return formIn(await bytesOf(bytes), image);
  }

  /** Calls `use` with a list of parts, in the turn of this client. */
  private async makeParts(
    image: Image,
    { subject }: RenditionClient,
    signal: AbortSignal,
    use: (list: Uint8Array) => Promise<void>,
  ): Promise<void> {
    const source = { image, open: () => this.openImageFile.execute(image) };
    await this.maker.make(source, CLEAN, { subject, signal }, use);
  }

  /** Stores the file in the cache before the first request for its bytes, so that only one decoder is asked. */
  private async makeFile(image: Image, parts: readonly CleanPart[], client: RenditionClient): Promise<void> {
    const make = (_signal: AbortSignal, keep: Keep): Promise<void> => this.keepJoined(image, parts, keep);
    const { bytes } = await this.files.open({ image, name: this.nameOf('.bin'), make }, client);
    await bytes.close();
  }

  private async openFile(image: Image, client: RenditionClient, range: ByteRange): Promise<OpenedBlob> {
    const make = (signal: AbortSignal, keep: Keep): Promise<void> =>
      this.makeParts(image, client, signal, (list) => this.keepJoined(image, partsIn(list, image), keep));
    return (await this.files.open({ image, name: this.nameOf('.bin'), make }, client, range)).bytes;
  }

  private async keepJoined(image: Image, parts: readonly CleanPart[], keep: Keep): Promise<void> {
    const joined = await this.openParts(image, parts);
    try {
      await keep(joined.buffered ?? joined.read());
    } finally {
      await joined.close();
    }
  }

  /** `.json`: how the bytes are read. `.bin`: the bytes, if the cache holds them. */
  private nameOf(extension: '.json' | '.bin'): string {
    return `${this.maker.version}-${derivativeName(CLEAN)}${extension}`;
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

/** @throws {RangeError | SyntaxError} if the bytes are no form of this image */
function formIn(bytes: Uint8Array, image: Image): CleanForm {
  const form = JSON.parse(new TextDecoder().decode(bytes)) as unknown;
  if (!Array.isArray(form)) {
    const { size } = form as { readonly size: number };
    if (!Number.isSafeInteger(size) || size < 1) throw new RangeError('The form of a clean file has no size');
    return { kind: 'file', size };
  }
  const parts = requireCleanParts(form, image.size);
  return { kind: 'parts', size: bytesOfParts(parts), parts };
}

/** @throws {RangeError | SyntaxError} if they are not parts of this image */
function partsIn(list: Uint8Array, image: Image): readonly CleanPart[] {
  return requireCleanParts(JSON.parse(new TextDecoder().decode(list)), image.size);
}

async function bytesOf(opened: OpenedBlob): Promise<Uint8Array> {
  if (opened.buffered !== undefined) return opened.buffered;
  const bytes = new Uint8Array(opened.size);
  let at = 0;
  for await (const chunk of opened.read()) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
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
