import { ImageNotFound, LinkExpired, LinkInvalid } from '../domain/errors.ts';
import type { Image } from '../domain/image/image.ts';
import { type LinkedFile, parseLinkedFile } from '../domain/link/linked-file.ts';
import { type LinkSegments, parseLink, type SignedLink, signedText } from '../domain/link/signed-link.ts';
import type { Clock } from '../domain/ports/clock.ts';
import type { DeletedImages, ImageRepository } from '../domain/ports/image-repository.ts';
import type { LinkKeyRing } from './link-key-ring.ts';

export interface OpenedLink extends LinkedFile {
  readonly image: Image;
  /** Whole ones until the link expires. */
  readonly secondsLeft: number;
}

/** Without a valid MAC the error is always the same: it does not tell which images there are. */
export class OpenLink {
  constructor(
    private readonly images: Pick<ImageRepository, 'findById'> & DeletedImages,
    private readonly keys: LinkKeyRing,
    private readonly clock: Clock,
  ) {}

  /** @throws {LinkInvalid | LinkExpired | ImageNotFound | StorageUnavailable} in this order */
  async execute(segments: LinkSegments): Promise<OpenedLink> {
    const link = parseLink(segments);
    const file = parseLinkedFile(segments.fileName);
    if (link === undefined || file === undefined) throw new LinkInvalid();
    const image = await this.images.findById(link.id);
    await this.requireSigned(link, image);
    const msLeft = link.expiry * 1000 - this.clock.now().getTime();
    if (msLeft <= 0) throw new LinkExpired();
    if (image === undefined) throw new ImageNotFound();
    return { ...file, image, secondsLeft: Math.floor(msLeft / 1000) };
  }

  /** @throws {LinkInvalid} */
  private async requireSigned(link: SignedLink, image: Image | undefined): Promise<void> {
    const uuid = image?.uuid ?? (await this.images.findDeletedUuid(link.id));
    const isSigned = uuid !== undefined && (await this.keys.isSigned(signedText(link, uuid), link.mac));
    if (!isSigned) throw new LinkInvalid();
  }
}
