import type { AllImages, OwnedImage } from '../../../domain/ports/records/image-repository.ts';
import { imageBatches } from '../image-batches.ts';
import { type TransferEnds, type TransferPlan, TransferRefused } from './transfer-plan.ts';

/** At least one is defined. */
export interface ImagePair {
  readonly source?: OwnedImage | undefined;
  readonly target?: OwnedImage | undefined;
}

/** If the records are shared, only the source is listed. Throws the reason of `stopped`. */
export async function* comparedPairs(
  { source, target }: TransferEnds,
  { records }: Pick<TransferPlan, 'records'>,
  stopped: AbortSignal,
): AsyncGenerator<ImagePair, void, undefined> {
  const targets = records ? imagesOf(target.images) : noImages();
  for await (const pair of pairImages(imagesOf(source.images), targets)) {
    stopped.throwIfAborted();
    yield pair;
  }
}

/** @throws {TransferRefused} */
export function requireSame({ source, target }: ImagePair): void {
  if (source !== undefined && target !== undefined && source.uuid !== target.uuid) {
    throw new TransferRefused('foreign');
  }
}

/** In the order of the ids and in bounded memory. Concurrent changes may be included or not. */
async function* pairImages(sources: Images, targets: Images): AsyncGenerator<ImagePair, void, undefined> {
  let [ours, theirs] = [await nextOf(sources), await nextOf(targets)];
  while (ours !== undefined || theirs !== undefined) {
    const id = Math.min(ours?.id ?? Number.POSITIVE_INFINITY, theirs?.id ?? Number.POSITIVE_INFINITY);
    const pair = {
      source: ours?.id === id ? ours : undefined,
      target: theirs?.id === id ? theirs : undefined,
    };
    yield pair;
    if (pair.source !== undefined) ours = await nextOf(sources);
    if (pair.target !== undefined) theirs = await nextOf(targets);
  }
}

type Images = AsyncGenerator<OwnedImage, void, undefined>;

/** Oldest first. */
async function* imagesOf(images: Pick<AllImages, 'findPage'>): Images {
  for await (const batch of imageBatches(images)) yield* batch;
}

async function* noImages(): Images {}

async function nextOf(images: Images): Promise<OwnedImage | undefined> {
  const { value } = await images.next();
  return value ?? undefined;
}
