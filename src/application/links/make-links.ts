import { parsePageTitle } from '../../domain/image/check-patch.ts';
import type { CatalogImage } from '../../domain/image/image.ts';
import { type RenditionParameters, requestedRendition } from '../../domain/image/rendition.ts';
import { linkExpiry } from '../../domain/link/link-expiry.ts';
import { linkedFileName } from '../../domain/link/linked-file.ts';
import { pagePayload, type SignedPage, signedPageText } from '../../domain/link/shared-page.ts';
import { type SignedLink, signedText } from '../../domain/link/signed-link.ts';
import { type SignedNamedLink, signedNameText } from '../../domain/link/signed-named-link.ts';
import type { Name } from '../../domain/name/name.ts';
import type { Clock } from '../../domain/ports/process/clock.ts';
import type { ImageRepository } from '../../domain/ports/records/image-repository.ts';
import type { InSpaces } from '../../domain/ports/records/in-spaces.ts';
import type { FoundImage, Names } from '../../domain/ports/records/names.ts';
import type { Space } from '../../domain/space/space.ts';
import type { LinkKeyRing } from './link-key-ring.ts';

export interface FileParameters extends RenditionParameters {
  /** Whether browsers save the file. */
  readonly download?: boolean | undefined;
}

export interface LinksRequest {
  /** 1 or more each; some may be too large for the database. */
  readonly ids?: readonly number[] | undefined;
  /** Asks for links that follow the names. */
  readonly names?: readonly Name[] | undefined;
  readonly files: readonly FileParameters[];
  /** Asks for a page that shows the images of the ids. */
  readonly page?: { readonly title: string | null } | undefined;
  /** From `MIN_LINK_SECONDS` to `MAX_LINK_SECONDS`. */
  readonly ttlSeconds: number;
}

/** The links for one kind of key. */
export interface LinksOf<Key, Link> {
  /** One for each file, in the order of the request. */
  readonly links: ReadonlyMap<Key, readonly Link[]>;
  /** Keys without an image, in the order of the request. */
  readonly missing: readonly Key[];
}

/** `undefined` for what was not asked for. */
export interface MadeLinks {
  /** When all of the links end. */
  readonly expiresAt: Date;
  readonly images: LinksOf<number, SignedLink> | undefined;
  readonly names: LinksOf<Name, SignedNamedLink> | undefined;
  /** Null if all images are missing. */
  readonly page: SignedPage | null | undefined;
}

/** Callers within a window of time get the same links: see `linkExpiry`. */
export class MakeLinks {
  constructor(
    private readonly images: InSpaces<Pick<ImageRepository, 'findById'>>,
    private readonly names: InSpaces<Pick<Names, 'find'>>,
    private readonly keys: LinkKeyRing,
    private readonly clock: Clock,
  ) {}

  /** @throws {InvalidMetadata | StorageUnavailable} */
  async execute(space: Space, { ids, names, files, page, ttlSeconds }: LinksRequest): Promise<MadeLinks> {
    const title = parsePageTitle(page?.title ?? null);
    const expiry = linkExpiry(this.clock.now(), ttlSeconds);
    const sign = await this.keys.signing();
    const images = ids && (await findEach(ids, (id) => this.findImage(space, id)));
    const shown = [...(images?.values() ?? [])].filter((image) => image !== undefined);
    const named = names && (await findEach(names, (name) => this.names.in(space).find(name)));
    return {
      expiresAt: new Date(expiry * 1000),
      images: images && linksOf(images, files, (image, file) => signedLink({ image, file, expiry }, sign)),
      names: named && linksOf(named, files, (one, file) => signedNamedLink({ ...one, file, expiry }, sign)),
      page: page && signedPage({ title, images: shown, expiry }, sign),
    };
  }

  private async findImage(space: Space, id: number): Promise<CatalogImage | undefined> {
    return Number.isSafeInteger(id) ? await this.images.in(space).findById(id) : undefined;
  }
}

type Sought<Key, Found> = ReadonlyMap<Key, Found | undefined>;

/** Each key once. */
async function findEach<Key, Found>(
  keys: readonly Key[],
  find: (key: Key) => Promise<Found | undefined>,
): Promise<Sought<Key, Found>> {
  return new Map(await Promise.all([...new Set(keys)].map(async (key) => [key, await find(key)] as const)));
}

function linksOf<Key, Found, Link>(
  all: Sought<Key, Found>,
  files: readonly FileParameters[],
  link: (found: Found, file: FileParameters) => Link,
): LinksOf<Key, Link> {
  const links = new Map<Key, readonly Link[]>();
  const missing: Key[] = [];
  for (const [key, found] of all) {
    const made = found && files.map((file) => link(found, file));
    if (made === undefined) missing.push(key);
    else links.set(key, made);
  }
  return { links, missing };
}

type Sign = (text: string) => string;

interface LinkedImage {
  readonly image: CatalogImage;
  readonly file: FileParameters;
  readonly expiry: number;
}

export function signedLink({ image, file, expiry }: LinkedImage, sign: Sign): SignedLink {
  const link = { id: image.id, fileName: fileNameOf(image, file), expiry };
  return { ...link, mac: sign(signedText(link, image.uuid)) };
}

function signedNamedLink(
  { number, mark, name, image, file, expiry }: LinkedImage & FoundImage,
  sign: Sign,
): SignedNamedLink {
  // The focus is that of the image that is shown.
  const link = { number, mark, name, fileName: fileNameOf({ ...image, focus: null }, file), expiry };
  return { ...link, mac: sign(signedNameText(link)) };
}

function fileNameOf(image: CatalogImage, { download, ...parameters }: FileParameters): string {
  const rendition = requestedRendition(image, parameters);
  return linkedFileName({ rendition, isDownload: download === true });
}

interface PageContent {
  readonly title: string | null;
  readonly images: readonly CatalogImage[];
  readonly expiry: number;
}

function signedPage({ title, images, expiry }: PageContent, sign: Sign): SignedPage | null {
  if (images.length === 0) return null;
  const payload = pagePayload(title, images);
  return { payload, expiry, mac: sign(signedPageText(payload, expiry)) };
}
