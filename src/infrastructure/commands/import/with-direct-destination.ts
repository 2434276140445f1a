import type { MediaType } from '../../../domain/image/media-type.ts';
import type { ImportTarget } from '../../../domain/ports/commands/import-target.ts';
import { COMMON_SPACE, type Space } from '../../../domain/space/space.ts';
import { parseStorageConfig } from '../../config/config.ts';
import { readEnvironment } from '../../config/read-environment.ts';
import {
  prepareStorage,
  requireDecoders,
  requireOwnBlobs,
  requireStorage,
} from '../../start/prepare-storage.ts';
import { TOKENS } from '../../tokens.ts';
import { withStorageOf } from '../with-storage-of.ts';
import { respondAsService } from './respond-as-service.ts';

export interface Destination {
  readonly target: ImportTarget;
  /** Tells catalogs and spaces apart, for the journal. */
  readonly catalog: string;
  readonly accepted: readonly MediaType[];
}

/** The storage is prepared as at the start of the service, but not made by a dry run. */
export async function withDirectDestination<T>(
  { dryRun, space = COMMON_SPACE }: { readonly dryRun: boolean; readonly space: Space | undefined },
  work: (destination: Destination) => Promise<T>,
): Promise<T> {
  const config = parseStorageConfig(readEnvironment());
  return await withStorageOf(config, async (storage) => {
    await (dryRun ? requireStorage(storage) : prepareStorage(storage));
    await requireOwnBlobs(storage.get(TOKENS.claimBlobStore), { dryRun });
    if (!dryRun) await requireDecoders(storage.get(TOKENS.decoders));
    const catalog = `catalog ${await storage.get(TOKENS.identity).find()}`;
    return await work({
      target: respondAsService(storage.get(TOKENS.importTargets).in(space)),
      accepted: config.upload.acceptedTypes,
      catalog: space === COMMON_SPACE ? catalog : `${catalog} ${space}`,
    });
  });
}
