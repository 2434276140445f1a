import type { Image } from '../../../domain/image/image.ts';
import type { OpenedBlob } from '../../../domain/ports/bytes/readable-bytes.ts';
import type { StagedFile } from '../../../domain/ports/bytes/staging-area.ts';
import type { OwnedImage } from '../../../domain/ports/records/image-repository.ts';
import { isTrashed } from '../../../domain/ports/records/trash.ts';
import { mapConcurrently } from '../../concurrency/map-concurrently.ts';
import { BlobUnreadable } from '../blob-unreadable.ts';
import { readBlob } from '../read-blob.ts';
import { removeRecord } from '../remove-record.ts';
import type { Finding } from '../verify-catalog.ts';
import type { Pair } from './compared-pairs.ts';
import type { TransferEnds, TransferPlan, TransferRun } from './transfer-plan.ts';

type Problem = Pick<Finding, 'problem' | 'detail'>;

const MISSING: Problem = { problem: 'missing', detail: 'the blob is not there' };

/** Makes the target like the source, some images at a time. Copies each blob before its record, as an upload does. */
export class CopyImages {
  constructor(
    private readonly ends: TransferEnds,
    private readonly plan: TransferPlan,
  ) {}

  /** Resolves to the number of these differences, without those whose bytes cannot be copied. */
  async execute(pairs: readonly Pair[], run: TransferRun): Promise<number> {
    const outcomes = await mapConcurrently(pairs, this.plan.jobs, (pair) => this.copyBlob(pair, run));
    const settled = pairs.filter((_, at) => outcomes[at] !== 'missing');
    const copied = outcomes.filter((outcome) => outcome === 'copied').length;
    if (this.plan.records) await this.settle(settled, run);
    else run.report.images += copied;
    run.onProgress(run.report);
    run.stopped.throwIfAborted();
    return this.plan.records ? settled.length : copied;
  }

  /** `restore` keeps existing records: one that has moved is removed before. */
  private async settle(pairs: readonly Pair[], run: TransferRun): Promise<void> {
    const { target } = this.ends;
    for (const pair of pairs) {
      if (pair.source === undefined) await this.removeSurplus(pair, run);
      else if (!isEdit(pair) && pair.target !== undefined) await removeRecord(target, pair.target);
    }
    const images = pairs.map(({ source }) => source).filter((source) => source !== undefined);
    const live = images.filter((image): image is OwnedImage => !isTrashed(image));
    const trashed = images.filter(isTrashed);
    if (live.length > 0) await this.copyRecords(live);
    if (trashed.length > 0) await target.trash.restoreTrashed(trashed);
    run.report.images += images.length - pairs.filter(isEdit).length;
  }

  /** Unless the source has it: added or moved while the source was listed. The next pass sees it. */
  private async removeSurplus({ target: image }: Pair, { report }: TransferRun): Promise<void> {
    const { source, target } = this.ends;
    if (image === undefined || (await source.images.findUuidsAmong([image.uuid])).size > 0) return;
    await removeRecord(target, image);
    if (this.plan.blobs) await target.blobs.remove(image.uuid);
    report.removed += 1;
  }

  /** With their metadata and hashes; records that the target has already keep all else. */
  private async copyRecords(images: readonly OwnedImage[]): Promise<void> {
    const { source, target } = this.ends;
    const ids = images.map(({ id }) => id);
    const metadata = await source.images.findMetadata(ids);
    const hashes = await source.images.findHashes(ids);
    await target.images.restore(
      images.map((image) => ({ ...image, metadata: metadata.get(image.id), hashes: hashes.get(image.id) })),
    );
  }

  /** Resolves to whether the target has it. */
  private async copyBlob(
    { source: image, target }: Pair,
    run: TransferRun,
  ): Promise<'copied' | 'present' | 'missing'> {
    if (run.stopped.aborted) return 'missing';
    if (!this.plan.blobs || image === undefined || target !== undefined) return 'present';
    if (await this.isPresent(image, run)) return 'present';
    const problem = await this.copyOrExplain(image);
    if (problem === undefined) {
      run.report.bytes += image.size;
      return 'copied';
    }
    await this.report(image, problem, run);
    return 'missing';
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

/** The target has the image where it is, with other metadata. */
function isEdit({ source, target }: Pair): boolean {
  if (source === undefined || target === undefined || source.space !== target.space) return false;
  return !isTrashed(source) && !isTrashed(target);
}

function damageOf(detail: string): Problem {
  return { problem: 'damaged', detail };
}
