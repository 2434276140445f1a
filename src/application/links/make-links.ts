import type { Image } from '../../domain/image/image.ts';
import { parsePageTitle } from '../../domain/image/metadata.ts';
import { type RenditionParameters, requestedRendition } from '../../domain/image/rendition.ts';
import { linkExpiry } from '../../domain/link/link-expiry.ts';
import { linkedFileName } from '../../domain/link/linked-file.ts';
import { pagePayload, type SignedPage, signedPageText } from '../../domain/link/shared-page.ts';
import { type SignedLink, signedText } from '../../domain/link/signed-link.ts';
import type { Clock } from '../../domain/ports/process/clock.ts';
import type { ImageRepository } from '../../domain/ports/records/image-repository.ts';
import type { InSpaces } from '../../domain/ports/records/in-spaces.ts';
import type { Space } from '../../domain/space/space.ts';
import type { LinkKeyRing } from './link-key-ring.ts';

export interface FileParameters extends RenditionParameters {
  /** Whether browsers save the file. */
  readonly download?: boolean | undefined;
}

export interface LinksRequest {
  /** 1 or more each; some may be too large for the database. */
  readonly ids: readonly number[];
  readonly files: readonly FileParameters[];
  /** Asks for a page that shows the images. */
  readonly page?: { readonly title: string | null } | undefined;
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
  /** Null if all images are missing; `undefined` if none was asked for. */
  readonly page?: SignedPage | null | undefined;
}

/** Callers within a window of time get the same links: see `linkExpiry`. */
export class MakeLinks {
  constructor(
    private readonly images: InSpaces<Pick<ImageRepository, 'findById'>>,
    private readonly keys: LinkKeyRing,
    private readonly clock: Clock,
  ) {}

  /** @throws {InvalidMetadata | StorageUnavailable} */
  async execute(space: Space, { ids, files, page, ttlSeconds }: LinksRequest): Promise<MadeLinks> {
    const title = parsePageTitle(page?.title ?? null);
    const expiry = linkExpiry(this.clock.now(), ttlSeconds);
    const sign = await this.keys.signing();
    const reads = await this.found(space, ids);
    const images = reads.flatMap(({ image }) => (image === undefined ? [] : [image]));
    return {
      expiresAt: new Date(expiry * 1000),
      links: new Map(
        images.map((image) => [image.id, files.map((file) => signedLink({ image, file, expiry }, sign))]),
      ),
      missing: reads.flatMap(({ id, image }) => (image === undefined ? [id] : [])),
      page: page && signedPage({ title, images, expiry }, sign),
    };
  }

  /** Each id once. */
  private async found(
    space: Space,
    ids: readonly number[],
  ): Promise<ReadonlyArray<{ readonly id: number; readonly image: Image | undefined }>> {
    const images = this.images.in(space);
    const reads = [...new Set(ids)].map(async (id) => ({
      id,
      image: Number.isSafeInteger(id) ? await images.findById(id) : undefined,
    }));
    return await Promise.all(reads);
  }
}

type Sign = (text: string) => string;

interface LinkedImage {
  readonly image: Image;
  readonly file: FileParameters;
  readonly expiry: number;
}

export function signedLink({ image, file, expiry }: LinkedImage, sign: Sign): SignedLink {
  const { download, ...parameters } = file;
  const rendition = requestedRendition(image, parameters);
  const link = {
    id: image.id,
    fileName: linkedFileName({ rendition, isDownload: download === true }),
    expiry,
  };
  return { ...link, mac: sign(signedText(link, image.uuid)) };
}

interface PageContent {
  readonly title: string | null;
  readonly images: readonly Image[];
  readonly expiry: number;
}

function signedPage({ title, images, expiry }: PageContent, sign: Sign): SignedPage | null {
  if (images.length === 0) return null;
  const payload = pagePayload(title, images);
  return { payload, expiry, mac: sign(signedPageText(payload, expiry)) };
}
