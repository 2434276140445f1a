import { BackupCatalog } from '../../../src/application/maintenance/backup-catalog.ts';
import { TransferCatalog } from '../../../src/application/maintenance/transfer/transfer-catalog.ts';
import type { TransferEnds } from '../../../src/application/maintenance/transfer/transfer-plan.ts';
import { TransferRefused } from '../../../src/application/maintenance/transfer/transfer-refused.ts';
import type { BlobKey } from '../../../src/domain/image/blob-key.ts';
import type { BlobCopy } from '../../../src/domain/ports/commands/record-copy.ts';
import { STAYING } from '../../support/doubles/staying.ts';
import { type CatalogProcess, GRACE_MS, portsOf } from '../catalog-process.ts';
import { require } from '../ledger.ts';
import type { SimulatedCatalog } from '../simulated-catalog.ts';
import type { Storage } from '../storage.ts';
import type { OperationKind } from './operation-kind.ts';

class InMemoryBlobCopy implements BlobCopy {
  readonly blobs = new Map<BlobKey, Uint8Array>();

  constructor(private readonly source: Storage['blobs']) {}

  async begin(): Promise<void> {}

  async add(key: BlobKey): Promise<boolean> {
    const bytes = this.source.bytesOf(key);
    if (bytes !== undefined) this.blobs.set(key, bytes);
    return bytes !== undefined;
  }

  async isIntact(): Promise<boolean> {
    return true;
  }

  async finish(): Promise<void> {}
}

/** What could be restored from the copy. */
export const BACKUP: OperationKind = {
  weight: 1,
  run: async (catalog, { process: place }) => {
    const { ledger, storage } = catalog;
    const process = catalog.process(place);
    const since = ledger.now();
    const copied = await storage.copyRecords();
    const copy = process.portOf('copy', copied);
    const records = {
      ...process.ports,
      copy: async () => ({ images: copy, trash: copied.trash, close: async () => {} }),
    };
    const blobs = new InMemoryBlobCopy(storage.blobs);
    const backup = new BackupCatalog(records, process.portOf('blobCopy', blobs));
    const outcome = await catalog.attempt(() => lostBy(backup));
    if (outcome.state !== 'done') return;
    const images = copied.all();
    const bare = images.filter(({ uuid }) => !blobs.blobs.has(uuid));
    require(bare.length === outcome.value, `${bare.length} images of the backup have no blob`);
    for (const { id } of bare) {
      const isMeant = !ledger.isDeleted(id) && !ledger.standing.includes(id);
      require(isMeant, `image ${id} of the backup has no blob`);
    }
    for (const image of images) ledger.sees(image, image.space, since);
    for (const id of ledger.standingSince(since)) {
      require(images.some((image) => image.id === id), `image ${id} is not in the backup`);
    }
  },
};

async function lostBy(backup: BackupCatalog): Promise<number> {
  let lost = 0;
  for await (const { finding } of backup.records()) if (finding !== undefined) lost += 1;
  return lost;
}

const PLAN = { records: true, blobs: true, jobs: 2, graceMs: GRACE_MS };

export function transferOf(ends: TransferEnds, clock: Storage['clock']): TransferCatalog {
  return new TransferCatalog(ends, clock, PLAN);
}

export const TRANSFER: OperationKind = {
  weight: 1,
  run: async (catalog, { process: place }) => {
    const process = catalog.process(place);
    const ends = endsOf(process, catalog.target);
    await catalog.attempt(() => transferInto(catalog, ends));
  },
};

export function endsOf(process: CatalogProcess, target: Storage): TransferEnds {
  return { source: process.ports, target: portsOf(target, process.portOf, 'target.') };
}

/** Starts with another target if this one has only images that the source has deleted. */
export async function transferInto(catalog: SimulatedCatalog, ends: TransferEnds): Promise<void> {
  try {
    await transferOf(ends, catalog.clock).execute({
      resume: true,
      stopped: STAYING,
      onProgress: () => {},
      onFinding: (finding) =>
        require(catalog.calls.injected.length > 0, `transfer: ${JSON.stringify(finding)}`),
    });
  } catch (error) {
    if (!(error instanceof TransferRefused)) throw error;
    require(error.reason === 'foreign', error.message);
    catalog.target = catalog.emptyStorage();
  }
}
