import type { BlobKey } from '../../domain/image/blob-key.ts';
import type { BlobReferences } from '../../domain/ports/records/image-repository.ts';
import { batchesOf } from './batches-of.ts';

const ASKED_TOGETHER = 500;

/** Batches of those of which there is no record. Throws the reason of `stopped`. */
export async function* withoutImage(
  images: Pick<BlobReferences, 'findUuidsAmong'>,
  uuids: AsyncIterable<BlobKey>,
  stopped: AbortSignal | undefined,
): AsyncGenerator<readonly BlobKey[], void, undefined> {
  for await (const some of batchesOf(uuids, ASKED_TOGETHER)) {
    stopped?.throwIfAborted();
    const recorded = await images.findUuidsAmong(some);
    yield some.filter((uuid) => !recorded.has(uuid));
  }
}
