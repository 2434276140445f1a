import { MetadataChanged } from '../../domain/errors.ts';
import { checkPatch } from '../../domain/image/check-patch.ts';
import { foundImage } from '../../domain/image/found-image.ts';
import type { ImageMetadata, MetadataPatch } from '../../domain/image/image-metadata.ts';
import type { Author } from '../../domain/ports/records/author.ts';
import type { ImageMetadataStore } from '../../domain/ports/records/image-metadata-store.ts';
import type { InSpaces } from '../../domain/ports/records/in-spaces.ts';
import type { Space } from '../../domain/space/space.ts';
import type { Caller } from '../concurrency/caller.ts';
import type { EditSize, Edits } from '../edits/edits.ts';

export class EditMetadata {
  constructor(
    private readonly metadata: InSpaces<ImageMetadataStore>,
    private readonly edits: Edits,
  ) {}

  /**
   * When it resolves, the change survives a power cut. A missing image and a version that does not match come before a wrong value.
   *
   * @param readPatch throws what the caller shall see of a patch that is ill-formed
   * @throws {ImageNotFound | MetadataChanged | InvalidMetadata | TooManyChanges | Overloaded | StorageUnavailable}
   */
  async execute(
    space: Space,
    id: number,
    readPatch: () => MetadataPatch,
    caller: Caller,
    matches: (version: number) => boolean = () => true,
    author?: Author,
  ): Promise<ImageMetadata> {
    const metadata = this.metadata.in(space);
    const patch = await requirePatch(metadata, id, readPatch, matches);
    const turns = this.edits.turnsOf(caller, sizeOf(patch));
    return foundImage(await turns.run(() => metadata.patch(id, patch, matches, author)));
  }
}

/** These fields have few words. Clearing another one can take thousands of words from the search index. */
const SMALL_FIELDS: ReadonlySet<string> = new Set(['title', 'takenAt', 'focus'] satisfies Array<
  keyof MetadataPatch
>);

function sizeOf(patch: MetadataPatch): EditSize {
  const isSmall = Object.entries(patch).every(
    ([field, value]) => value === undefined || SMALL_FIELDS.has(field),
  );
  return isSmall ? 'small' : 'large';
}

/** Only a wrong patch needs a look at the image: a good one meets the same checks when it is stored. */
async function requirePatch(
  metadata: ImageMetadataStore,
  id: number,
  readPatch: () => MetadataPatch,
  matches: (version: number) => boolean,
): Promise<MetadataPatch> {
  try {
    return checkPatch(readPatch());
  } catch (error) {
    const { version } = foundImage(await metadata.find(id));
    if (!matches(version)) throw new MetadataChanged();
    throw error;
  }
}
