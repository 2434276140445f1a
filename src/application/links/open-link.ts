import { ImageNotFound, LinkInvalid } from '../../domain/errors.ts';
import type { BlobKey } from '../../domain/image/blob-key.ts';
import type { CatalogImage } from '../../domain/image/image.ts';
import { type LinkedFile, parseLinkedFile } from '../../domain/link/linked-file.ts';
import { type LinkSegments, parseLink, type SignedLink, signedText } from '../../domain/link/signed-link.ts';
import type { Clock } from '../../domain/ports/process/clock.ts';
import type { AllImages, DeletedImages } from '../../domain/ports/records/image-repository.ts';
import type { LinkKeyRing } from './link-key-ring.ts';
import { type SecondsLeft, secondsLeft } from './seconds-left.ts';

export interface OpenedLink extends LinkedFile {
  readonly image: CatalogImage;
  readonly secondsLeft: SecondsLeft;
}

/** No image has this key. */
const NO_IMAGE: BlobKey = '00000000-0000-0000-0000-000000000000';

/** Without a valid MAC the error is always the same: it does not tell which images there are. */
export class OpenLink {
  constructor(
    private readonly images: Pick<AllImages, 'findById'> & DeletedImages,
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
    const left = secondsLeft(link.expiry, this.clock);
    if (image === undefined) throw new ImageNotFound();
    return { ...file, image, secondsLeft: left };
  }

  /**
   * Forged links cost the same reads and MACs whether the image is there or not.
   *
   * @throws {LinkInvalid}
   */
  private async requireSigned(link: SignedLink, image: CatalogImage | undefined): Promise<void> {
    if (await this.isSigned(link, image?.uuid)) return;
    const deletedUuid = await this.images.findDeletedUuid(link.id);
    if (!(await this.isSigned(link, deletedUuid))) throw new LinkInvalid();
  }

  private async isSigned(link: SignedLink, uuid: BlobKey | undefined): Promise<boolean> {
    const isSigned = await this.keys.isSigned(signedText(link, uuid ?? NO_IMAGE), link.mac);
    return isSigned && uuid !== undefined;
  }
}
