import type { Container } from 'inversify';
import { NodeHasher } from '../../adapters/system/node-hasher.ts';
import { ClaimBlobStore } from '../../application/maintenance/claim-blob-store.ts';
import { SweepOrphans } from '../../application/maintenance/sweep-orphans.ts';
import { VerifyCatalog } from '../../application/maintenance/verify-catalog.ts';
import { TOKENS } from '../tokens.ts';

export function bindMaintenance(container: Container): void {
  const { storageConfig, identity, images, keys, blobs, staging, renditions } = TOKENS;
  const { inspector, clock, log } = TOKENS;
  container
    .bind(ClaimBlobStore)
    .toResolvedValue(
      (catalog, repository, store) =>
        new ClaimBlobStore({ identity: catalog, images: repository, blobs: store }),
      [identity, images, blobs],
    );
  container
    .bind(VerifyCatalog)
    .toResolvedValue(
      (repository, store, decoder, time) =>
        new VerifyCatalog({ images: repository, blobs: store }, decoder, new NodeHasher(), time),
      [images, blobs, inspector, clock],
    );
  container.bind(SweepOrphans).toResolvedValue(
    ({ sweep, requestTimeoutMs }, time, events, catalog, repository, idempotencyKeys, store, area, cache) =>
      new SweepOrphans(
        {
          identity: catalog,
          images: repository,
          keys: idempotencyKeys,
          blobs: store,
          staging: area,
          renditions: cache,
        },
        time,
        { graceMs: sweep.graceMs, maxUploadMs: requestTimeoutMs },
        events,
      ),
    [storageConfig, clock, log, identity, images, keys, blobs, staging, renditions],
  );
}
