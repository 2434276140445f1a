import { createHash } from 'node:crypto';
import { DecoderImageInspector } from '../../../src/adapters/decoder/decoder-image-inspector.ts';
import type { FindSimilar } from '../../../src/application/find/find-similar.ts';
import { type Capture, NO_CAPTURE, NO_METADATA } from '../../../src/domain/image/image-metadata.ts';
import type { MediaType } from '../../../src/domain/image/media-type.ts';
import { mediaTypeOf } from '../../../src/domain/image/media-type-of.ts';
import type { SimilarKind } from '../../../src/domain/image/similar-kind.ts';
import { inMemory } from '../../../src/domain/ports/bytes/readable-bytes.ts';
import type { ImageRepository } from '../../../src/domain/ports/records/image-repository.ts';
import { COMMON_SPACE } from '../../../src/domain/space/space.ts';
import { DECODERS } from '../doubles/decoders.ts';
import { CALLER, STAYING } from '../doubles/staying.ts';
import { newImage } from '../fixtures/new-image.ts';
import { pixelLimits } from '../fixtures/pixel-limits.ts';
import {
  COPIES,
  cropped,
  flatPicture,
  inOtherLight,
  jpegOf,
  nextShot,
  type Scene,
  scene,
} from '../fixtures/scenes.ts';

const EVERYTHING = { distance: 10, limit: 100 };
const MAX_PIXELS = 10_000_000;

/** Names of variants that are not copies. */
const NEXT_SHOT = 'next shot';
const OTHER_LIGHT = 'other light';
const CROPPED = 'cropped';

interface Family {
  readonly original: number;
  /** By the name of the variant. */
  readonly ids: ReadonlyMap<string, number>;
}

/** Shares of all scenes or of all pairs. */
export interface SimilarQuality {
  /** Copies that were found as copies. */
  readonly copiesFound: number;
  /** By the name of the copy. */
  readonly foundByCopy: ReadonlyMap<string, number>;
  readonly croppedFound: number;
  /** Other shots of a series that were called copies. */
  readonly burstsCalledCopies: number;
  readonly burstsFound: number;
  /** Of the same scene. */
  readonly otherLightCalledCopies: number;
  /** Pictures of other scenes that were called copies, a scene. */
  readonly strangersCalledCopies: number;
  /** Flat pictures that were found near others of other bytes. */
  readonly flatMatched: number;
}

export interface MadeCatalog {
  readonly images: ImageRepository;
  readonly findSimilar: FindSimilar;
}

/** Adds variants of generated scenes and flat pictures to an empty catalog, and asks for the look-alikes of each. */
export class MadeSet {
  private readonly inspector = new DecoderImageInspector(pixelLimits(MAX_PIXELS), DECODERS);

  constructor(private readonly catalog: MadeCatalog) {}

  async judge(scenes: number): Promise<SimilarQuality> {
    const families: Family[] = [];
    const flat: number[] = [];
    for (let seed = 1; seed <= scenes; seed += 1) {
      families.push(await this.addFamily(await scene(seed), seed));
      flat.push(await this.add(await flatPicture(seed)));
    }
    const kinds = await Promise.all(families.map(({ original }) => this.kindsOf(original)));
    const shareOf = (variant: string, kind?: SimilarKind): number =>
      share(families, ({ ids }, at) => {
        const found = kinds[at]?.get(ids.get(variant) ?? 0);
        return kind === undefined ? found !== undefined : found === kind;
      });
    const foundByCopy = new Map(Object.keys(COPIES).map((copy) => [copy, shareOf(copy, 'copy')]));
    const flatKinds = await Promise.all(flat.map((id) => this.kindsOf(id)));
    return {
      foundByCopy,
      copiesFound: mean([...foundByCopy.values()]),
      croppedFound: shareOf(CROPPED),
      burstsCalledCopies: shareOf(NEXT_SHOT, 'copy'),
      burstsFound: shareOf(NEXT_SHOT, 'burst'),
      otherLightCalledCopies: shareOf(OTHER_LIGHT, 'copy'),
      strangersCalledCopies: mean(families.map((family, at) => strangersIn(kinds[at], family))),
      flatMatched: share(flatKinds, (found) => found.size > 0),
    };
  }

  private async addFamily(picture: Scene, seed: number): Promise<Family> {
    const bytes = await jpegOf(picture);
    const capture = shotAfter(seed, 0);
    const original = await this.add(bytes, capture);
    const ids = new Map<string, number>();
    for (const [name, copy] of Object.entries(COPIES)) {
      ids.set(name, await this.add(await copy(bytes), capture));
    }
    ids.set(CROPPED, await this.add(await cropped(bytes), capture));
    ids.set(NEXT_SHOT, await this.add(await nextShot(bytes, seed), shotAfter(seed, 125)));
    ids.set(OTHER_LIGHT, await this.add(await inOtherLight(bytes), shotAfter(seed, 36_000)));
    return { original, ids };
  }

  private async add(bytes: Buffer, capture = NO_CAPTURE): Promise<number> {
    const mediaType = mediaTypeOf(bytes) as MediaType;
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const requester = { signal: STAYING, subject: '' };
    const { facts } = await this.inspector.inspect({ ...inMemory(bytes), sha256 }, mediaType, requester);
    const image = newImage({ ...facts, mediaType, sha256 });
    return (await this.catalog.images.add(image, undefined, { ...NO_METADATA, capture })).id;
  }

  private async kindsOf(id: number): Promise<ReadonlyMap<number, SimilarKind>> {
    const found = await this.catalog.findSimilar.execute(COMMON_SPACE, id, EVERYTHING, CALLER);
    return new Map(found.map(({ image, kind }) => [image.id, kind]));
  }
}

/** @param ms after the first shot of the scene */
function shotAfter(seed: number, ms: number): Capture {
  const takenAt = new Date(Date.UTC(2026, 0, 1) + seed * 60_000 + ms).toISOString();
  return { ...NO_CAPTURE, make: 'Canon', model: 'R5', takenAt };
}

function strangersIn(kinds: ReadonlyMap<number, SimilarKind> | undefined, { ids }: Family): number {
  const own = new Set(ids.values());
  return [...(kinds ?? [])].filter(([id, kind]) => kind === 'copy' && !own.has(id)).length;
}

function share<T>(all: readonly T[], holds: (one: T, at: number) => boolean): number {
  return all.filter(holds).length / all.length;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
