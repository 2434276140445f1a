import type { NewImage } from '../../../src/domain/image/image.ts';
import { TOKENS } from '../../../src/infrastructure/tokens.ts';
import { streamOf } from '../fixtures/bytes.ts';
import { newImage } from '../fixtures/new-image.ts';
import type { TestService } from './test-service.ts';

/** Stores a file as if an earlier version of the service had accepted it by other rules. Resolves to the id of the image. */
export async function storeEarlier(
  service: TestService,
  bytes: Buffer,
  facts: Partial<NewImage>,
): Promise<number> {
  const staged = await service.container
    .get(TOKENS.staging)
    .receive(streamOf(bytes), { maxBytes: bytes.length, checkHead: () => {} });
  const { uuid } = newImage();
  await service.storage.blobs.put(uuid, staged);
  const image = newImage({ ...facts, uuid, size: bytes.length, sha256: staged.sha256 });
  return (await service.images.add(image)).id;
}
