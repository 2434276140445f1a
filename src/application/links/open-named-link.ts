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

/** Without a valid MAC the error does not tell which names there are, only which numbers are forgotten: their marks are gone. */
export class OpenNamedLink {
  constructor(
    private readonly names: AllNames,
    private readonly images: Pick<AllImages, 'findById'>,
    private readonly keys: LinkKeyRing,
    private readonly clock: Clock,
  ) {}

  /** @throws {LinkInvalid | LinkExpired | NameNotFound | StorageUnavailable} in this order; `NameNotFound` at once for a forgotten number */
  async execute(segments: NamedLinkSegments): Promise<OpenedNamedLink> {
    const link = parseNamedLink(segments);
    const file = parseLinkedFile(segments.fileName);
    if (link === undefined || file === undefined) throw new LinkInvalid();
    const named = await this.names.findByNumber(link.number);
    if (!(await this.isSigned(link, named))) throw await this.refusalOf(link, named);
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

  /** The highest number is read for every forged link, so that all cost the same. */
  private async refusalOf({ number }: SignedNamedLink, named: RecordedName | undefined): Promise<Error> {
    const isGiven = number <= (await this.names.highestNumber());
    return named === undefined && isGiven ? new NameNotFound() : new LinkInvalid();
  }
}
