import { foundImage } from '../../domain/image/found-image.ts';
import type { CatalogImage } from '../../domain/image/image.ts';
import { NO_CAPTURE } from '../../domain/image/image-metadata.ts';
import { kindOf, type Look, type SimilarKind } from '../../domain/image/similar-kind.ts';
import type { ImageImport, ImageRepository } from '../../domain/ports/records/image-repository.ts';
import type { InSpaces } from '../../domain/ports/records/in-spaces.ts';
import type { SimilarImages, SimilarQuery } from '../../domain/ports/records/similar-images.ts';
import type { Space } from '../../domain/space/space.ts';
import type { Caller } from '../concurrency/caller.ts';
import type { Searches } from './searches.ts';

export const MAX_DISTANCE = 16;
export const DEFAULT_DISTANCE = 10;
export const MAX_SIMILAR = 100;
export const DEFAULT_SIMILAR = 20;

export interface SimilarImage {
  readonly image: CatalogImage;
  /** Bits of the dHash that differ. */
  readonly distance: number;
  readonly kind: SimilarKind;
}

/** The parts of the records that decide about the kinds. */
export type ComparedImages = InSpaces<Pick<ImageRepository, 'findById'>> &
  Pick<ImageImport, 'findMetadata' | 'findHashes'>;

type CatalogLook = Look & { readonly image: CatalogImage };

export class FindSimilar {
  constructor(
    private readonly images: ComparedImages,
    private readonly similarImages: InSpaces<SimilarImages>,
    private readonly searches: Searches,
  ) {}

  /**
   * Nearest first, then by id, without the image itself.
   *
   * @throws {ImageNotFound | Overloaded | StorageUnavailable}
   */
  async execute(
    space: Space,
    id: number,
    query: SimilarQuery,
    caller: Caller,
  ): Promise<readonly SimilarImage[]> {
    return await this.searches.turnsOf(caller, 'page').run(() => this.find(space, id, query));
  }

  /**
   * The same for an upload, which waits for no search.
   *
   * @throws {ImageNotFound | StorageUnavailable}
   */
  async report(space: Space, id: number): Promise<readonly SimilarImage[]> {
    return await this.find(space, id, { distance: DEFAULT_DISTANCE, limit: DEFAULT_SIMILAR });
  }

  private async find(space: Space, id: number, query: SimilarQuery): Promise<readonly SimilarImage[]> {
    foundImage(await this.images.in(space).findById(id));
    const found = await this.similarImages.in(space).find(id, query);
    if (found.length === 0) return [];
    const looks = await this.looksOf(space, [id, ...found.map((other) => other.id)]);
    const own = foundImage(looks.get(id));
    return found.flatMap(({ id: otherId, distance }) => {
      const other = looks.get(otherId);
      return other === undefined ? [] : [{ image: other.image, distance, kind: kindOf(own, other) }];
    });
  }

  /** Leaves out images that were removed meanwhile. */
  private async looksOf(space: Space, ids: readonly number[]): Promise<ReadonlyMap<number, CatalogLook>> {
    const repository = this.images.in(space);
    const [images, metadata, hashes] = await Promise.all([
      Promise.all(ids.map((id) => repository.findById(id))),
      this.images.findMetadata(ids),
      this.images.findHashes(ids),
    ]);
    const looks = images.flatMap((image): CatalogLook[] => {
      if (image === undefined) return [];
      const capture = metadata.get(image.id)?.capture ?? NO_CAPTURE;
      return [{ image, capture, hashes: hashes.get(image.id) }];
    });
    return new Map(looks.map((look) => [look.image.id, look]));
  }
}
