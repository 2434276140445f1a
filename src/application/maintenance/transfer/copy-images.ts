import type { Image } from '../../../domain/image/image.ts';
import type { OpenedBlob } from '../../../domain/ports/bytes/readable-bytes.ts';
import type { StagedFile } from '../../../domain/ports/bytes/staging-area.ts';
import type { OwnedImage } from '../../../domain/ports/records/image-repository.ts';
import type { TrashedRecord } from '../../../domain/ports/records/trash.ts';
import { mapConcurrently } from '../../concurrency/map-concurrently.ts';
import { BlobUnreadable } from '../blob-unreadable.ts';
import { readBlob } from '../read-blob.ts';
import type { Finding } from '../verify-catalog.ts';
import type { TransferEnds, TransferPlan, TransferRun } from './transfer-plan.ts';

type Problem = Pick<Finding, 'problem' | 'detail'>;

const MISSING: Problem = { problem: 'missing', detail: 'the blob is not there' };

/** Copies each blob before its record, as an upload does. */
export class CopyImages {
  constructor(
    private readonly ends: TransferEnds,
    private readonly plan: TransferPlan,
  ) {}

  /** Resolves to the number of images added. */
  async execute(images: readonly OwnedImage[], run: TransferRun): Promise<number> {
    return await this.copyAll(images, run, async (stored) => {
      await this.takeFromTrash(stored);
      await this.copyRecords(stored);
    });
  }

  /** The same for the trash, which replaces what the target has of it. */
  async executeTrash(images: readonly TrashedRecord[], run: TransferRun): Promise<number> {
    return await this.copyAll(images, run, async (stored) => {
      await this.takeFromImages(stored);
      await this.ends.target.trash.restoreTrashed(stored);
    });
  }

  private async copyAll<T extends Image>(
    images: readonly T[],
    run: TransferRun,
    copyRecords: (stored: readonly T[]) => Promise<void>,
  ): Promise<number> {
    const stored: T[] = [];
    let copied = 0;
    await mapConcurrently(images, this.plan.jobs, async (image) => {
      if (run.stopped.aborted) return;
      const outcome = await this.copyBlob(image, run);
      if (outcome !== 'lost') stored.push(image);
      if (outcome === 'copied') copied += 1;
    });
    if (this.plan.records) await copyRecords(stored);
    const gained = this.plan.records ? stored.length : copied;
    run.report.images += gained;
    run.onProgress(run.report);
    run.stopped.throwIfAborted();
    return gained;
  }

  /** The source has restored them since an earlier pass. */
  private async takeFromTrash(images: readonly OwnedImage[]): Promise<void> {
    const { target } = this.ends;
    const recorded = await target.images.findUuidsAmong(images.map(({ uuid }) => uuid));
    for (const { id } of images.filter(({ uuid }) => recorded.has(uuid))) {
      // Its space may have had another name by then.
      const [trashed] = await target.trash.findAll(id - 1, 1);
      if (trashed?.id === id) await target.trash.in(trashed.space).erase(id);
    }
  }

  /** The source has moved them to the trash since an earlier pass. */
  private async takeFromImages(images: readonly TrashedRecord[]): Promise<void> {
    const { target } = this.ends;
    for (const { id } of images) {
      const image = await target.images.findById(id);
      if (image !== undefined) await target.images.in(image.space).removeById(id);
    }
  }

  /** With their metadata and hashes; records that the target has already keep all else. */
  async copyRecords(images: readonly OwnedImage[]): Promise<void> {
    const { source, target } = this.ends;
    const ids = images.map(({ id }) => id);
    const metadata = await source.images.findMetadata(ids);
    const hashes = await source.images.findHashes(ids);
    const imported = images.map((image) => ({
      ...image,
      metadata: metadata.get(image.id),
      hashes: hashes.get(image.id),
    }));
    await target.images.restore(imported.toSorted((a, b) => a.id - b.id));
  }

  private async copyBlob(image: Image, run: TransferRun): Promise<'copied' | 'present' | 'lost'> {
    if (!this.plan.blobs || (await this.isPresent(image, run))) return 'present';
    const problem = await this.copyOrExplain(image);
    if (problem === undefined) {
      run.report.bytes += image.size;
      return 'copied';
    }
    await this.report(image, problem, run);
    return 'lost';
  }

  /** A blob is stored whole and with the right bytes or not at all. */
  private async isPresent({ uuid }: Image, { resume, report }: TransferRun): Promise<boolean> {
    return (resume || report.passes > 1) && (await this.ends.target.blobs.find(uuid)) !== undefined;
  }

  private async copyOrExplain(image: Image): Promise<Problem | undefined> {
    try {
      return await readBlob(this.ends.source.blobs, image.uuid, async (blob) =>
        blob === undefined ? MISSING : await this.copyBytes(image, blob),
      );
    } catch (error) {
      // An unavailable store ends the transfer; one unreadable blob does not.
      if (!(error instanceof BlobUnreadable)) throw error;
      return damageOf(error.message);
    }
  }

  /** Checks the SHA-256 before the bytes become a blob. */
  private async copyBytes(image: Image, blob: OpenedBlob): Promise<Problem | undefined> {
    if (blob.size !== image.size) {
      await blob.close();
      return damageOf(`the blob has ${blob.size} bytes, the record says ${image.size}`);
    }
    const staged = await this.stage(blob);
    try {
      if (staged.sha256 !== image.sha256) {
        return damageOf(`the blob has the SHA-256 ${staged.sha256}, the record says ${image.sha256}`);
      }
      await this.ends.target.blobs.put(image.uuid, staged);
      return undefined;
    } finally {
      await staged.discard();
    }
  }

  private async stage(blob: OpenedBlob): Promise<StagedFile> {
    const { staging } = this.ends.target;
    try {
      return await staging.receive(blob.read(), { maxBytes: blob.size, checkHead: () => {} });
    } finally {
      await blob.close();
    }
  }

  private async report({ id, uuid }: Image, problem: Problem, run: TransferRun): Promise<void> {
    // A client may have deleted or erased the image during the copy.
    if ((await this.ends.source.images.findUuidsAmong([uuid])).size === 0) return;
    run.failed.add(id);
    run.report.findings += 1;
    run.onFinding({ ...problem, imageId: id, blobKey: uuid });
  }
}

function damageOf(detail: string): Problem {
  return { problem: 'damaged', detail };
}
