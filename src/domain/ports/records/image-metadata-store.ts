import type { EmbeddedMetadata, ImageMetadata, MetadataPatch } from '../../image/image-metadata.ts';
import type { MetadataEdit } from '../../image/metadata-edit.ts';
import type { Author } from './author.ts';
import type { InSpaces } from './in-spaces.ts';

/** Ids in the order of the request, each once. */
export interface EditedImages {
  /** Includes images that have not changed. */
  readonly updated: readonly number[];
  readonly missing: readonly number[];
}

export type PatchRefusal = (before: ImageMetadata) => Error | undefined;

/**
 * A change is in every index of the catalog when its promise resolves, and survives a power cut. A change that changes nothing
 * keeps the version. Every method throws `StorageUnavailable`.
 */
export interface ImageMetadataStore {
  /** `undefined` if there is no such image. */
  find(id: number): Promise<ImageMetadata | undefined>;

  /**
   * Tags get the spelling that the catalog has already. `undefined` if there is no such image.
   *
   * @param patch as `checkPatch` returns it
   * @param refusal an error if the patch must not be applied to what is stored; no change can come in between
   * @throws {Error} what `refusal` returns
   * @throws {TooManyChanges} after it
   */
  patch(
    id: number,
    patch: MetadataPatch,
    refusal?: PatchRefusal,
    author?: Author,
  ): Promise<ImageMetadata | undefined>;

  /**
   * Changes all images or none, in the order of the ids.
   *
   * @param maxWords that come or go in all images together
   * @throws {InvalidMetadata} if an image would have too many tags, or a time that the catalog cannot have
   * @throws {TooMuchMetadata | TooManyChanges} in this order
   */
  editMany(
    ids: readonly number[],
    edit: MetadataEdit,
    maxWords: number,
    author?: Author,
  ): Promise<EditedImages>;
}

/** Every method throws `StorageUnavailable`. */
export interface Recapturing {
  /** Replaces what the files say; see `recaptureMetadata`. Skips images that are not there. */
  recapture(files: ReadonlyMap<number, EmbeddedMetadata>): Promise<void>;
}

export interface MetadataRecords extends InSpaces<ImageMetadataStore>, Recapturing {}
