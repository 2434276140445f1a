import type { RecordedImage } from '../../../domain/ports/records/trash.ts';
import { recordedPages } from '../recorded-pages.ts';
import {
  TRANSFER_BATCH_SIZE,
  type TransferEnds,
  type TransferPlan,
  type TransferSource,
} from './transfer-plan.ts';
import { TransferRefused } from './transfer-refused.ts';

/** An image on both sides or on one, in the trash or not. At least one is defined. */
export interface Pair {
  readonly source?: RecordedImage | undefined;
  readonly target?: RecordedImage | undefined;
}

/**
 * In the order of the ids and in bounded memory. Concurrent changes may be included or not. If the records are shared, only the source
 * is listed. Throws the reason of `stopped`.
 *
 * @throws {TransferRefused} if an id has another UUID on the other side
 */
export async function* comparedPairs(
  { source, target }: TransferEnds,
  { records }: Pick<TransferPlan, 'records'>,
  stopped: AbortSignal,
): AsyncGenerator<Pair, void, undefined> {
  const [sources, targets] = [imagesOf(source), records ? imagesOf(target) : none()];
  let [ours, theirs] = [await nextOf(sources), await nextOf(targets)];
  while (ours !== undefined || theirs !== undefined) {
    const id = Math.min(ours?.id ?? Number.POSITIVE_INFINITY, theirs?.id ?? Number.POSITIVE_INFINITY);
    const pair = {
      source: ours?.id === id ? ours : undefined,
      target: theirs?.id === id ? theirs : undefined,
    };
    requireSame(pair);
    stopped.throwIfAborted();
    yield pair;
    if (pair.source !== undefined) ours = await nextOf(sources);
    if (pair.target !== undefined) theirs = await nextOf(targets);
  }
}

function requireSame({ source, target }: Pair): void {
  if (source !== undefined && target !== undefined && source.uuid !== target.uuid) {
    throw new TransferRefused('foreign');
  }
}

type Images = AsyncGenerator<RecordedImage, void, undefined>;

/** Ends at the image that was newest at the beginning. */
async function* imagesOf({ images, trash }: TransferSource): Images {
  const newest = await images.highestId();
  for await (const page of recordedPages({ images, trash }, TRANSFER_BATCH_SIZE)) {
    yield* page;
    if ((page.at(-1)?.id ?? 0) >= newest) return;
  }
}

async function* none(): Images {}

async function nextOf(images: Images): Promise<RecordedImage | undefined> {
  const { value } = await images.next();
  return value ?? undefined;
}
