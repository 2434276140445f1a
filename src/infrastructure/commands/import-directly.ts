import { parseStorageConfig } from '../config.ts';
import { readEnvironment } from '../environment.ts';
import { prepareStorage, requireOwnBlobs } from '../prepare-storage.ts';
import type { Destination } from './import-destination.ts';
import { withStorageOf } from './with-storage.ts';

/** The storage is prepared as at the start of the service. */
export async function withDirectDestination<T>(
  { dryRun }: { readonly dryRun: boolean },
  work: (destination: Destination) => Promise<T>,
): Promise<T> {
  return await withStorageOf(parseStorageConfig(readEnvironment()), async (storage) => {
    await prepareStorage(storage);
    await requireOwnBlobs(storage.claimBlobStore, { dryRun });
    const catalog = `catalog ${await storage.identity.find()}`;
    return await work({ target: storage.importTarget, catalog, takesMetadata: async () => true });
  });
}
