import { ImageNotFound } from '../domain/errors.ts';
import type { CatalogImage } from '../domain/image/image.ts';
import { kindOf, type Look, type LookAlikeKind } from '../domain/image/look-alike.ts';
import { NO_CAPTURE } from '../domain/image/metadata.ts';
import type { ImageImport, ImageRepository } from '../domain/ports/image-repository.ts';
import type { LookAlikeQuery, LookAlikes } from '../domain/ports/look-alikes.ts';

export const MAX_DISTANCE = 16;
export const DEFAULT_DISTANCE = 10;
export const MAX_SIMILAR = 100;
export const DEFAULT_SIMILAR = 20;

export interface SimilarImage {
  readonly image: CatalogImage;
  /** Bits of the dHash that differ. */
  readonly distance: number;
  readonly kind: LookAlikeKind;
}

/** The parts of the records that decide about the kinds. */
export type ComparedImages = Pick<ImageRepository, 'findById'> &
  Pick<ImageImport, 'findMetadata' | 'findAppearances'>;

type CatalogLook = Look & { readonly image: CatalogImage };

export class FindSimilar {
  constructor(
    private readonly images: ComparedImages,
    private readonly lookAlikes: LookAlikes,
  ) {}

  /**
   * Nearest first, then by id, without the image itself.
   *
   * @throws {ImageNotFound | StorageUnavailable}
   */
  async execute(
    id: number,
    query: LookAlikeQuery = { distance: DEFAULT_DISTANCE, limit: DEFAULT_SIMILAR },
  ): Promise<readonly SimilarImage[]> {
    const image = await this.images.findById(id);
    if (image === undefined) throw new ImageNotFound();
    const found = await this.lookAlikes.find(id, query);
    if (found.length === 0) return [];
    const looks = await this.looksOf([id, ...found.map((other) => other.id)]);
    const own = looks.get(id);
    if (own === undefined) throw new ImageNotFound();
    return found.flatMap(({ id: otherId, distance }) => {
      const other = looks.get(otherId);
      return other === undefined ? [] : [{ image: other.image, distance, kind: kindOf(own, other) }];
    });
  }

  /** Without images that were removed meanwhile. */
  private async looksOf(ids: readonly number[]): Promise<ReadonlyMap<number, CatalogLook>> {
    const [images, metadata, appearances] = await Promise.all([
      Promise.all(ids.map((id) => this.images.findById(id))),
      this.images.findMetadata(ids),
      this.images.findAppearances(ids),
    ]);
    const looks = images.flatMap((image): CatalogLook[] => {
      if (image === undefined) return [];
      const capture = metadata.get(image.id)?.capture ?? NO_CAPTURE;
      return [{ image, capture, appearance: appearances.get(image.id) }];
    });
    return new Map(looks.map((look) => [look.image.id, look]));
  }
}
