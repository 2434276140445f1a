import { TooMuchMetadata } from '../../../src/domain/errors.ts';
import { editMetadata } from '../../../src/domain/image/edit-metadata.ts';
import type {
  EmbeddedMetadata,
  ImageMetadata,
  MetadataPatch,
  NewMetadata,
} from '../../../src/domain/image/image-metadata.ts';
import type { MetadataEdit } from '../../../src/domain/image/metadata-edit.ts';
import { patchMetadata } from '../../../src/domain/image/patch-metadata.ts';
import { recaptureMetadata } from '../../../src/domain/image/recapture-metadata.ts';
import { saysTheSame } from '../../../src/domain/image/says-the-same.ts';
import { searchableTexts } from '../../../src/domain/image/searchable-texts.ts';
import { compareCodePoints } from '../../../src/domain/image/words/compare-code-points.ts';
import { fold } from '../../../src/domain/image/words/fold.ts';
import { indexWords } from '../../../src/domain/image/words/words.ts';
import { type Author, NO_AUTHOR } from '../../../src/domain/ports/records/author.ts';
import type {
  EditedImages,
  ImageMetadataStore,
  MetadataRecords,
  PatchRefusal,
} from '../../../src/domain/ports/records/image-metadata-store.ts';
import type { InSpaces } from '../../../src/domain/ports/records/in-spaces.ts';
import type { TagCount, TagIndex, TagQuery } from '../../../src/domain/ports/records/tag-index.ts';
import type { Space } from '../../../src/domain/space/space.ts';
import type { InMemoryImageRepository } from './in-memory-image-repository.ts';

export class InMemoryMetadata implements MetadataRecords, InSpaces<TagIndex> {
  constructor(private readonly images: InMemoryImageRepository) {}

  in(space: Space): ImageMetadataStore & TagIndex {
    return new InMemoryMetadataOfSpace(this.images, space);
  }

  async recapture(files: ReadonlyMap<number, EmbeddedMetadata>): Promise<void> {
    for (const [id, recapture] of files) {
      const metadata = this.images.metadataOf(id);
      if (metadata !== undefined) change(this.images, id, metadata, recaptureMetadata(metadata, recapture));
    }
  }
}

class InMemoryMetadataOfSpace implements ImageMetadataStore, TagIndex {
  constructor(
    private readonly images: InMemoryImageRepository,
    private readonly space: Space,
  ) {}

  async find(id: number): Promise<ImageMetadata | undefined> {
    return this.#find(id);
  }

  async patch(
    id: number,
    patch: MetadataPatch,
    refusal: PatchRefusal = () => undefined,
    { by }: Author = NO_AUTHOR,
  ): Promise<ImageMetadata | undefined> {
    // At once: a database changes an image in one statement.
    const metadata = this.#find(id);
    if (metadata === undefined) return undefined;
    const refused = refusal(metadata);
    if (refused !== undefined) throw refused;
    change(this.images, id, metadata, patchMetadata<NewMetadata>(metadata, patch), by);
    return this.images.metadataOf(id);
  }

  async editMany(
    ids: readonly number[],
    edit: MetadataEdit,
    maxWords: number,
    { by }: Author = NO_AUTHOR,
  ): Promise<EditedImages> {
    const inSpace = new Set(this.images.allIn(this.space).map(({ id }) => id));
    const found = await this.images.findMetadata(ids.filter((id) => inSpace.has(id)));
    const asked = [...new Set(ids)];
    const changes = asked.flatMap((id) => {
      const before = found.get(id);
      return before === undefined ? [] : [{ id, before, after: editMetadata<NewMetadata>(before, edit) }];
    });
    const words = changes.map(({ before, after }) => changedWords(before, after));
    if (words.reduce((sum, count) => sum + count, 0) > maxWords) throw new TooMuchMetadata(maxWords);
    for (const { id, before, after } of changes) change(this.images, id, before, after, by);
    return { updated: asked.filter((id) => found.has(id)), missing: asked.filter((id) => !found.has(id)) };
  }

  async list({ prefix, order, limit }: TagQuery): Promise<readonly TagCount[]> {
    const counts = new Map<string, number>();
    for (const { tags } of this.images.allIn(this.space)) {
      for (const tag of tags) counts.set(tag, (counts.get(tag) ?? 0) + 1);
    }
    return [...counts]
      .map(([tag, count]) => ({ tag, count }))
      .filter(({ tag }) => fold(tag).startsWith(prefix))
      .toSorted((a, b) => compareCodePoints(fold(a.tag), fold(b.tag)))
      .toSorted((a, b) => (order === 'count' ? b.count - a.count : 0))
      .slice(0, limit);
  }

  #find(id: number): ImageMetadata | undefined {
    const isHere = this.images.allIn(this.space).some((image) => image.id === id);
    return isHere ? this.images.metadataOf(id) : undefined;
  }
}

function change(
  images: InMemoryImageRepository,
  id: number,
  before: ImageMetadata,
  after: NewMetadata,
  by?: string,
): void {
  // Spells the tags first: another spelling is no change.
  images.describe(id, { ...before, ...after });
  const spelled = images.metadataOf(id) ?? before;
  images.describe(id, before);
  if (saysTheSame(before, spelled)) return;
  const changed = { ...spelled, version: before.version + 1, updatedAt: images.clock.now() };
  images.describeChanged(id, changed, by);
}

/** Words that come or go. */
function changedWords(before: NewMetadata, after: NewMetadata): number {
  const [old, now] = [wordsOf(before), wordsOf(after)];
  return [...old].filter((word) => !now.has(word)).length + [...now].filter((word) => !old.has(word)).length;
}

function wordsOf(metadata: NewMetadata): ReadonlySet<string> {
  return indexWords(searchableTexts('', metadata));
}
