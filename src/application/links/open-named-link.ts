import { LinkInvalid, NameNotFound } from '../../domain/errors.ts';
import { foundImage } from '../../domain/image/found-image.ts';
import type { CatalogImage } from '../../domain/image/image.ts';
import { type LinkedFile, parseLinkedFile } from '../../domain/link/linked-file.ts';
import {
  type NamedLinkSegments,
  parseNamedLink,
  signedNameText,
} from '../../domain/link/signed-named-link.ts';
import type { Clock } from '../../domain/ports/process/clock.ts';
import type { AllImages } from '../../domain/ports/records/image-repository.ts';
import type { AllNames } from '../../domain/ports/records/names.ts';
import type { LinkKeyRing } from './link-key-ring.ts';
import { type SecondsLeft, secondsLeft } from './seconds-left.ts';

export interface OpenedNamedLink extends LinkedFile {
  readonly number: number;
  /** The image that the name points to now. */
  readonly imageId: number;
  readonly secondsLeft: SecondsLeft;
}

/** Without a valid MAC nothing is read, so that a forged link tells nothing of names. */
export class OpenNamedLink {
  constructor(
    private readonly names: AllNames,
    private readonly images: Pick<AllImages, 'findById'>,
    private readonly keys: LinkKeyRing,
    private readonly clock: Clock,
  ) {}

  /** @throws {LinkInvalid | LinkExpired | NameNotFound | StorageUnavailable} `LinkInvalid` also if the number is that of another name now */
  async execute(segments: NamedLinkSegments): Promise<OpenedNamedLink> {
    const link = parseNamedLink(segments);
    const file = parseLinkedFile(segments.fileName);
    if (link === undefined || file === undefined) throw new LinkInvalid();
    if (!(await this.keys.isSigned(signedNameText(link), link.mac))) throw new LinkInvalid();
    const left = secondsLeft(link.expiry, this.clock);
    const named = await this.names.findByNumber(link.number);
    if (named !== undefined && named.mark !== link.mark) throw new LinkInvalid();
    if (named?.imageId === undefined) throw new NameNotFound();
    return { ...file, number: link.number, imageId: named.imageId, secondsLeft: left };
  }

  /** @throws {ImageNotFound | StorageUnavailable} */
  async findImage(id: number): Promise<CatalogImage> {
    return foundImage(await this.images.findById(id));
  }
}
