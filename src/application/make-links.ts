import type { Image } from '../domain/image/image.ts';
import { type RenditionParameters, requestedRendition } from '../domain/image/rendition.ts';
import { linkExpiry } from '../domain/link/link-expiry.ts';
import { linkedFileName } from '../domain/link/linked-file.ts';
import { type Link, type SignedLink, signedText } from '../domain/link/signed-link.ts';
import type { Clock } from '../domain/ports/clock.ts';
import type { ImageRepository } from '../domain/ports/image-repository.ts';
import type { LinkKeyRing } from './link-key-ring.ts';

export interface FileParameters extends RenditionParameters {
  /** Whether browsers save the file. */
  readonly download?: boolean | undefined;
}

export interface LinksRequest {
  /** 1 or more each; some may be too large for the database. */
  readonly ids: readonly number[];
  readonly files: readonly FileParameters[];
  /** From `MIN_LINK_SECONDS` to `MAX_LINK_SECONDS`. */
  readonly ttlSeconds: number;
}

export interface MadeLinks {
  /** When all of the links end. */
  readonly expiresAt: Date;
  /** By the id of the image; one for each file, in the order of the request. */
  readonly links: ReadonlyMap<number, readonly SignedLink[]>;
  /** Ids without an image, in the order of the request. */
  readonly missing: readonly number[];
}

/** Callers within a window of time get the same links: see `linkExpiry`. */
export class MakeLinks {
  constructor(
    private readonly images: Pick<ImageRepository, 'findById'>,
    private readonly keys: LinkKeyRing,
    private readonly clock: Clock,
  ) {}

  /** @throws {StorageUnavailable} */
  async execute({ ids, files, ttlSeconds }: LinksRequest): Promise<MadeLinks> {
    const expiry = linkExpiry(this.clock.now(), ttlSeconds);
    const sign = await this.keys.signing();
    const links = new Map<number, readonly SignedLink[]>();
    const missing: number[] = [];
    for (const { id, image } of await this.found(ids)) {
      if (image === undefined) missing.push(id);
      else
        links.set(
          id,
          files.map((file) => signed(linkTo(image, file, expiry), image, sign)),
        );
    }
    return { expiresAt: new Date(expiry * 1000), links, missing };
  }

  /** Each id once. */
  private async found(
    ids: readonly number[],
  ): Promise<ReadonlyArray<{ readonly id: number; readonly image: Image | undefined }>> {
    const reads = [...new Set(ids)].map(async (id) => ({
      id,
      image: Number.isSafeInteger(id) ? await this.images.findById(id) : undefined,
    }));
    return await Promise.all(reads);
  }
}

function linkTo(image: Image, { download, ...parameters }: FileParameters, expiry: number): Link {
  const rendition = requestedRendition(image, parameters);
  return { id: image.id, fileName: linkedFileName({ rendition, isDownload: download === true }), expiry };
}

function signed(link: Link, { uuid }: Image, sign: (text: string) => string): SignedLink {
  return { ...link, mac: sign(signedText(link, uuid)) };
}
