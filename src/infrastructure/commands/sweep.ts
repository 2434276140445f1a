import { setTimeout as delay } from 'node:timers/promises';
import type { Container } from 'inversify';
import { addCounts } from '../../application/maintenance/add-counts.ts';
import type { SweepOrphans, SweepReport } from '../../application/maintenance/sweep-orphans.ts';
import { prepareDatabase, prepareStaging, requireOwnBlobs } from '../start/prepare-storage.ts';
import { TOKENS } from '../tokens.ts';
import { command } from './command-line/command.ts';
import { flag } from './command-line/option.ts';
import { closingLine, countOf } from './command-line/output.ts';
import { withStorage } from './with-storage.ts';

const CLOCKS_DIFFER_MS = 500;

export const sweep = command({
  summary: 'removes orphaned files of crashes; checks twice, the grace apart',
  options: { dryRun: flag('shows what would be removed') },
  run: ({ dryRun }) =>
    withStorage(async (storage) => {
      if (!dryRun) await prepareDatabase(storage);
      await requireOwnBlobs(storage.get(TOKENS.claimBlobStore), { dryRun });
      // With blobs on S3, the folder belongs to the machine, which may have none yet.
      await prepareStaging(storage.get(TOKENS.storageConfig));
      await noteUnknownAge(storage);
      const sweepOrphans = storage.get(TOKENS.sweepOrphans);
      const first = await sweepOrphans.execute({ dryRun });
      const { graceMs } = storage.get(TOKENS.storageConfig).sweep;
      const report = first.blobsWatched === 0 ? first : await checkAgain(sweepOrphans, first, graceMs);
      console.log(JSON.stringify(report));
      closingLine(summaryOf(report, dryRun));
      return 0;
    }),
});

/** The setting of the service may be set for the service alone: its default would erase the whole trash. */
async function noteUnknownAge(storage: Container): Promise<void> {
  if (storage.get(TOKENS.storageConfig).trashDays !== undefined) return;
  const kept = await storage.get(TOKENS.trash).count();
  if (kept > 0) console.error(`TRASH_DAYS is not set: ${countOf(kept, 'image')} in the trash kept`);
}

function summaryOf(report: SweepReport, dryRun: boolean): string {
  const { stagedFiles, blobs, renditions, trashed, blobsWatched } = report;
  const orphans = [
    countOf(stagedFiles, 'staged file'),
    countOf(blobs, 'blob'),
    `renditions of ${countOf(renditions, 'deleted image')}`,
    ...(trashed > 0 ? [`${countOf(trashed, 'image')} of the trash`] : []),
  ];
  const watched = blobsWatched > 0 ? ` ${countOf(blobsWatched, 'young blob')} without a record kept.` : '';
  return `${dryRun ? 'Would remove' : 'Removed'} ${orphans.join(', ')}.${watched}`;
}

async function checkAgain(
  sweepOrphans: SweepOrphans,
  first: SweepReport,
  graceMs: number,
): Promise<SweepReport> {
  console.error(`${first.blobsWatched} blobs without a record; checking again in ${graceMs / 1000} s`);
  // The clock of the database decides, and a timer may be early by a little.
  await delay(graceMs + CLOCKS_DIFFER_MS);
  const second = await sweepOrphans.execute({ dryRun: false });
  return { ...addCounts(first, second), blobsWatched: second.blobsWatched };
}
