import { ImageNotFound, LinkInvalid } from '../../domain/errors.ts';
import type { CatalogImage } from '../../domain/image/image.ts';
import {
  markOf,
  type PageSegments,
  parsePage,
  parsePagePayload,
  type SharedPage,
  signedPageText,
} from '../../domain/link/shared-page.ts';
import type { SignedLink } from '../../domain/link/signed-link.ts';
import type { Clock } from '../../domain/ports/process/clock.ts';
import type { AllImages } from '../../domain/ports/records/image-repository.ts';
import type { LinkKeyRing } from './link-key-ring.ts';
import { type FileParameters, signedLink } from './make-links.ts';
import { secondsLeft } from './seconds-left.ts';

export interface OpenedPage {
  readonly title: string | null;
  readonly expiresAt: Date;
  /** At least one: those that still exist. */
  readonly images: readonly CatalogImage[];
  /** Links to the files of these images, which expire with the page. */
  readonly link: (image: CatalogImage, file: FileParameters) => SignedLink;
}

export class OpenPage {
  constructor(
    private readonly images: Pick<AllImages, 'findById'>,
    private readonly keys: LinkKeyRing,
    private readonly clock: Clock,
  ) {}

  /** @throws {LinkInvalid | LinkExpired | ImageNotFound | StorageUnavailable} in this order */
  async execute(segments: PageSegments): Promise<OpenedPage> {
    const page = parsePage(segments);
    if (page === undefined) throw new LinkInvalid();
    const { payload, expiry, mac } = page;
    if (!(await this.keys.isSigned(signedPageText(payload, expiry), mac))) throw new LinkInvalid();
    secondsLeft(expiry, this.clock);
    const { title, images } = parsePagePayload(payload);
    const found = await this.found(images);
    if (found.length === 0) throw new ImageNotFound();
    const sign = await this.keys.signing();
    return {
      title,
      expiresAt: new Date(expiry * 1000),
      images: found,
      link: (image, file) => signedLink({ image, file, expiry }, sign),
    };
  }

  private async found(images: SharedPage['images']): Promise<readonly CatalogImage[]> {
    const reads = images.map(async ({ id, mark }) => {
      const image = await this.images.findById(id);
      return image !== undefined && markOf(image.uuid) === mark ? image : undefined;
    });
    return (await Promise.all(reads)).filter((image) => image !== undefined);
  }
}
