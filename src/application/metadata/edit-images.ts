import { TooMuchMetadata } from '../../domain/errors.ts';
import { checkEdit, type EditRequest, textsOf } from '../../domain/image/metadata-edit.ts';
import { indexWords } from '../../domain/image/words/words.ts';
import type { Author } from '../../domain/ports/records/author.ts';
import type { EditedImages, ImageMetadataStore } from '../../domain/ports/records/image-metadata-store.ts';
import type { InSpaces } from '../../domain/ports/records/in-spaces.ts';
import type { Space } from '../../domain/space/space.ts';
import type { Caller } from '../concurrency/caller.ts';
import type { Edits } from '../edits/edits.ts';

/** Entries of the search index that one request may write: about a second in which no other request can write. */
const MAX_INDEXED_WORDS = 100_000;

export class EditImages {
  constructor(
    private readonly metadata: InSpaces<ImageMetadataStore>,
    private readonly edits: Edits,
  ) {}

  /**
   * Changes all images or none. An id that is there twice counts once.
   *
   * @throws {InvalidMetadata | TooMuchMetadata | TooManyChanges | Overloaded | StorageUnavailable}
   */
  async execute(
    space: Space,
    ids: readonly number[],
    request: EditRequest,
    caller: Caller,
    author?: Author,
  ): Promise<EditedImages> {
    const edit = checkEdit(request);
    const words = indexWords(textsOf(edit)).size;
    if (new Set(ids).size * words > MAX_INDEXED_WORDS) throw new TooMuchMetadata(MAX_INDEXED_WORDS);
    return await this.edits
      .turnsOf(caller, 'bulk')
      .run(() => this.metadata.in(space).editMany(ids, edit, MAX_INDEXED_WORDS, author));
  }
}
