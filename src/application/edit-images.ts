import { TooMuchMetadata } from '../domain/errors.ts';
import { parseTags } from '../domain/image/metadata.ts';
import type { TagChanges } from '../domain/image/tags.ts';
import { indexWords } from '../domain/image/words.ts';
import type { ImageMetadataStore, TaggedImages } from '../domain/ports/image-metadata-store.ts';
import type { Caller, Turns } from './turns.ts';

/** Entries of the search index that one request may write: about a second in which no other request can write. */
const MAX_INDEXED_WORDS = 100_000;

const MAX_WAIT_MS = 10_000;

export class TagImages {
  /** @param turns of changes of many images: other writers wait for one of them at most */
  constructor(
    private readonly metadata: ImageMetadataStore,
    private readonly turns: Turns,
  ) {}

  /**
   * Changes all images or none; removals come first. An id that is there twice counts once.
   *
   * @throws {InvalidMetadata | TooMuchMetadata | Overloaded | StorageUnavailable}
   */
  async execute(ids: readonly number[], { add, remove }: TagChanges, caller: Caller): Promise<TaggedImages> {
    const changes = { add: parseTags(add, 'addedTags'), remove: parseTags(remove, 'removedTags') };
    const words = indexWords([...changes.add, ...changes.remove]).size;
    if (new Set(ids).size * words > MAX_INDEXED_WORDS) throw new TooMuchMetadata(MAX_INDEXED_WORDS);
    return await this.turns.run(caller, MAX_WAIT_MS, () => this.metadata.changeTags(ids, changes));
  }
}
