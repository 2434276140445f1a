import { ImageNotFound, Overloaded } from '../../domain/errors.ts';
import type { Image } from '../../domain/image/image.ts';
import { CLEAN, type Derivative, derivativeName, type Rendition } from '../../domain/image/rendition.ts';
import { markOf } from '../../domain/link/shared-page.ts';
import type { RenditionMaker, RenditionRequester } from '../../domain/ports/pictures/rendition-maker.ts';
import type { EventLog } from '../../domain/ports/process/event-log.ts';
import type { Keep, MadeFiles, OpenedRendition, RenditionClient } from './made-files.ts';
import type { OpenImageFile } from './open-image-file.ts';
import type { RecentUploads } from './recent-uploads.ts';

/** No subject: it waits for nothing, so it has no share. */
const AHEAD = { subject: '', isAhead: true } as const;

/** Renditions, made once for all clients that ask at the same time. */
export class OpenRendition {
  /** @param uploads their pixels save a decode */
  constructor(
    private readonly files: MadeFiles,
    private readonly uploads: RecentUploads,
    private readonly openImageFile: OpenImageFile,
    private readonly maker: RenditionMaker,
    private readonly log: EventLog,
  ) {}

  /** Files being made. */
  get underWay(): number {
    return this.files.underWay;
  }

  /**
   * Equal texts mean equal bytes. Printable ASCII without quotes.
   *
   * @param hidesDigest the text does not have the digest of the original; that of a clean file never has it
   */
  identify(image: Image, rendition: Derivative, hidesDigest = rendition === CLEAN): string {
    const original = hidesDigest ? `${image.id}-${markOf(image.uuid)}` : image.sha256;
    return `${original}/${this.nameOf(image, rendition)}`;
  }

  /** @throws {ImageNotFound | BlobLost | ImageBeyondLimits | InvalidImage | RenditionTooLarge | Overloaded | StorageUnavailable} */
  async execute(image: Image, rendition: Rendition, client: RenditionClient): Promise<OpenedRendition> {
    const { subject } = client;
    const make = (signal: AbortSignal, keep: Keep): Promise<void> =>
      this.make(image, rendition, { subject, signal }, keep);
    return await this.files.open({ image, name: this.nameOf(image, rendition), make }, client);
  }

  /**
   * Makes a rendition that no client has requested yet, if it takes nothing from others. Clients that request it meanwhile share
   * the work. Never rejects.
   *
   * @returns whether this call has made it
   */
  async makeAhead(image: Image, rendition: Rendition): Promise<boolean> {
    const make = (signal: AbortSignal, keep: Keep): Promise<void> =>
      this.make(image, rendition, { ...AHEAD, signal }, keep).catch((error: unknown) =>
        this.giveUp(image, error),
      );
    const wanted = { image, name: this.nameOf(image, rendition), make };
    return await this.files.makeAhead(wanted, this.log).catch(() => false);
  }

  /** A client that waits makes the rendition itself, and gets its own error. */
  private giveUp({ id }: Image, error: unknown): void {
    const isExpected = error instanceof Overloaded || error instanceof ImageNotFound;
    if (!isExpected) this.log.warn({ err: error, imageId: id }, 'rendition not made ahead');
  }

  private nameOf({ mediaType }: Image, rendition: Derivative): string {
    const version = rendition === CLEAN ? this.maker.version : this.maker.versionOf(mediaType);
    return `${version}-${derivativeName(rendition)}`;
  }

  private async make(
    image: Image,
    rendition: Rendition,
    requester: RenditionRequester,
    keep: Keep,
  ): Promise<void> {
    const pixels = this.uploads.pixelsOf(image);
    const source = { image, pixels, open: () => this.openImageFile.execute(image) };
    await this.maker.make(source, rendition, requester, keep);
  }
}
