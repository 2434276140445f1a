import { MetadataChanged } from '../../domain/errors.ts';
import { checkPatch } from '../../domain/image/check-patch.ts';
import type { WrittenField } from '../../domain/image/fields.ts';
import { foundImage } from '../../domain/image/found-image.ts';
import { type ImageMetadata, keptName, type MetadataPatch } from '../../domain/image/image-metadata.ts';
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
    const write = async (size: EditSize): Promise<ImageMetadata | undefined> => {
      const refusal = (before: ImageMetadata): Error | undefined => {
        if (!matches(before.version)) return new MetadataChanged();
        return size === 'small' && sizeOf(patch, before) === 'large' ? new LargerEdit() : undefined;
      };
      return await this.edits.turnsOf(caller, size).run(() => metadata.patch(id, patch, refusal, author));
    };
    return foundImage(await writeInSize(sizeOf(patch), write));
  }
}

/** The texts that a patch replaces are longer than its own, so that it needs the turn of a large change. */
class LargerEdit extends Error {}

/** Most images have short texts, and nobody knows before the transaction: a patch takes the turn of a small change until it proves larger. */
async function writeInSize<T>(size: EditSize, write: (size: EditSize) => Promise<T>): Promise<T> {
  try {
    return await write(size);
  } catch (error) {
    if (!(error instanceof LargerEdit)) throw error;
    return await write('large');
  }
}

/** UTF-16 units of JSON. The search index takes a few milliseconds for the words of such a text. */
const SMALL_LENGTH = 1_000;

/** @param before what is stored, once it is known */
function sizeOf(patch: MetadataPatch, before?: ImageMetadata): EditSize {
  const fields = Object.keys(patch) as WrittenField[];
  const replaced = before === undefined ? [] : fields.map((field) => before[keptName(field)]);
  return JSON.stringify([patch, replaced]).length > SMALL_LENGTH ? 'large' : 'small';
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
