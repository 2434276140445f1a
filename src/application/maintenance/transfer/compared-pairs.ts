import type { AllImages, OwnedImage } from '../../../domain/ports/records/image-repository.ts';
import type { TrashedRecord } from '../../../domain/ports/records/trash.ts';
import { imageBatches, trashOf } from '../image-batches.ts';
import { type TransferEnds, type TransferPlan, TransferRefused } from './transfer-plan.ts';

/** At least one is defined. */
export interface Pair<T> {
  readonly source?: T | undefined;
  readonly target?: T | undefined;
}

export type ImagePair = Pair<OwnedImage>;

/** If the records are shared, only the source is listed. Throws the reason of `stopped`. */
export function comparedPairs(
  { source, target }: TransferEnds,
  { records }: Pick<TransferPlan, 'records'>,
  stopped: AbortSignal,
): Pairs<OwnedImage> {
  return pairById(imagesOf(source.images), records ? imagesOf(target.images) : none(), stopped);
}

/** The same for the trash. */
export function comparedTrash(
  { source, target }: TransferEnds,
  { records }: Pick<TransferPlan, 'records'>,
  stopped: AbortSignal,
): Pairs<TrashedRecord> {
  return pairById(trashOf(source.trash), records ? trashOf(target.trash) : none(), stopped);
}

/** @throws {TransferRefused} */
export function requireSame({ source, target }: Pair<Pick<OwnedImage, 'uuid'>>): void {
  if (source !== undefined && target !== undefined && source.uuid !== target.uuid) {
    throw new TransferRefused('foreign');
  }
}

/** In the order of the ids and in bounded memory. Concurrent changes may be included or not. */
async function* pairById<T extends { readonly id: number }>(
  sources: Sorted<T>,
  targets: Sorted<T>,
  stopped: AbortSignal,
): Pairs<T> {
  let [ours, theirs] = [await nextOf(sources), await nextOf(targets)];
  while (ours !== undefined || theirs !== undefined) {
    const id = Math.min(ours?.id ?? Number.POSITIVE_INFINITY, theirs?.id ?? Number.POSITIVE_INFINITY);
    const pair = {
      source: ours?.id === id ? ours : undefined,
      target: theirs?.id === id ? theirs : undefined,
    };
    stopped.throwIfAborted();
    yield pair;
    if (pair.source !== undefined) ours = await nextOf(sources);
    if (pair.target !== undefined) theirs = await nextOf(targets);
  }
}

type Pairs<T> = AsyncGenerator<Pair<T>, void, undefined>;

type Sorted<T> = AsyncGenerator<T, void, undefined>;

/** Oldest first. */
async function* imagesOf(images: Pick<AllImages, 'findPage'>): Sorted<OwnedImage> {
  for await (const batch of imageBatches(images)) yield* batch;
}

async function* none(): Sorted<never> {}

async function nextOf<T>(items: Sorted<T>): Promise<T | undefined> {
  const { value } = await items.next();
  return value ?? undefined;
}
