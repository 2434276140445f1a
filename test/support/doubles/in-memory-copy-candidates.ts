import { COPY_DHASH_BITS } from '../../../src/domain/image/copy-dhash-bits.ts';
import { hammingDistance, isFlat } from '../../../src/domain/image/image-hashes.ts';
import { NO_CAPTURE } from '../../../src/domain/image/image-metadata.ts';
import type { Look } from '../../../src/domain/image/similar-kind.ts';
import type { Candidates, CopyCandidates } from '../../../src/domain/ports/records/copy-candidates.ts';
import type { InSpaces } from '../../../src/domain/ports/records/in-spaces.ts';
import type { Space } from '../../../src/domain/space/space.ts';
import type { InMemoryImageRepository } from './in-memory-image-repository.ts';

const OLDER = 100;

/** Compares every image: the definition of the results. */
export class InMemoryCopyCandidates implements InSpaces<CopyCandidates> {
  constructor(private readonly images: InMemoryImageRepository) {}

  in(space: Space): CopyCandidates {
    return {
      findOlder: async (ids, turns) => await turns.run(async () => this.#older(space, ids)),
      findNewer: async (ids, turns) => await turns.run(async () => this.#newer(space, ids)),
      findLooks: async (ids, turns) => await turns.run(async () => this.#looks(space, ids)),
    };
  }

  #older(space: Space, ids: readonly number[]): Candidates {
    const looks = this.#looks(space);
    const firsts = new Map<string, number>();
    for (const [id, { image }] of looks) firsts.set(image.sha256, firsts.get(image.sha256) ?? id);
    return candidates(ids, (id) => {
      const first = firsts.get(looks.get(id)?.image.sha256 ?? '') ?? id;
      const others = candidatesOf(looks, first).filter((other) => other < first);
      return first === id ? others.slice(0, OLDER) : [...others.slice(0, OLDER - 1), first];
    });
  }

  #newer(space: Space, ids: readonly number[]): Candidates {
    const looks = this.#looks(space);
    return candidates(ids, (id) => candidatesOf(looks, id).filter((other) => other > id));
  }

  /** By id, ascending. */
  #looks(space: Space, ids?: readonly number[]): ReadonlyMap<number, Look> {
    const asked = ids && new Set(ids);
    const images = this.images
      .allIn(space)
      .filter(({ id }) => asked?.has(id) ?? true)
      .toSorted((a, b) => a.id - b.id);
    return new Map(
      images.map((image) => {
        const capture = this.images.metadataOf(image.id)?.capture ?? NO_CAPTURE;
        return [image.id, { image, capture, hashes: this.images.hashesOf(image.id) }];
      }),
    );
  }
}

function candidates(ids: readonly number[], othersOf: (id: number) => readonly number[]): Candidates {
  const found = ids.map((id) => [id, othersOf(id)] as const);
  return { of: new Map(found.filter(([, others]) => others.length > 0)), looked: 0 };
}

function candidatesOf(looks: ReadonlyMap<number, Look>, id: number): readonly number[] {
  const own = looks.get(id);
  return own === undefined
    ? []
    : [...looks].filter(([, other]) => isCandidate(own, other)).map(([other]) => other);
}

function isCandidate({ image, hashes: one }: Look, { image: otherImage, hashes: other }: Look): boolean {
  if (image.sha256 === otherImage.sha256) return true;
  if (one === undefined || other === undefined || isFlat(one) || isFlat(other)) return false;
  return hammingDistance(one.dHash, other.dHash) <= COPY_DHASH_BITS;
}
