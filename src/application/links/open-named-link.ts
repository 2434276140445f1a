import { ImageNotFound, LinkInvalid, NameNotFound } from '../../domain/errors.ts';
import type { CatalogImage } from '../../domain/image/image.ts';
import { type LinkedFile, parseLinkedFile } from '../../domain/link/linked-file.ts';
import {
  type NamedLinkSegments,
  parseNamedLink,
  type SignedNamedLink,
  signedNameText,
} from '../../domain/link/named-link.ts';
import type { Clock } from '../../domain/ports/process/clock.ts';
import type { AllImages } from '../../domain/ports/records/image-repository.ts';
import type { AllNames, RecordedName } from '../../domain/ports/records/names.ts';
import type { LinkKeyRing } from './link-key-ring.ts';
import { type SecondsLeft, secondsLeft } from './seconds-left.ts';

export interface OpenedNamedLink extends LinkedFile {
  readonly number: number;
  /** Of the image that the name points to now. */
  readonly imageId: number;
  readonly secondsLeft: SecondsLeft;
}

/** No name has this mark. */
const NO_MARK = -1;

/** Without a valid MAC the error is always the same: it does not tell which names there are. */
export class OpenNamedLink {
  constructor(
    private readonly names: AllNames,
    private readonly images: Pick<AllImages, 'findById'>,
    private readonly keys: LinkKeyRing,
    private readonly clock: Clock,
  ) {}

  /** @throws {LinkInvalid | LinkExpired | NameNotFound | StorageUnavailable} in this order */
  async execute(segments: NamedLinkSegments): Promise<OpenedNamedLink> {
    const link = parseNamedLink(segments);
    const file = parseLinkedFile(segments.fileName);
    if (link === undefined || file === undefined) throw new LinkInvalid();
    const named = await this.names.findByNumber(link.number);
    if (!(await this.isSigned(link, named))) throw new LinkInvalid();
    const left = secondsLeft(link.expiry, this.clock);
    if (named?.imageId === undefined) throw new NameNotFound();
    return { ...file, number: link.number, imageId: named.imageId, secondsLeft: left };
  }

  /** @throws {ImageNotFound | StorageUnavailable} */
  async findImage(id: number): Promise<CatalogImage> {
    const image = await this.images.findById(id);
    if (image === undefined) throw new ImageNotFound();
    return image;
  }

  /** Forged links cost the same reads and MACs whether the name is there or not. */
  private async isSigned(link: SignedNamedLink, named: RecordedName | undefined): Promise<boolean> {
    const isSigned = await this.keys.isSigned(signedNameText(link, named?.mark ?? NO_MARK), link.mac);
    return isSigned && named !== undefined;
  }
}
