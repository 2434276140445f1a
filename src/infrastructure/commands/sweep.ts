import { setTimeout as delay } from 'node:timers/promises';
import { SweepOrphans } from '../../application/maintenance/sweep-orphans.ts';
import { claimBlobStore, prepareDatabase, prepareStaging } from '../prepare-storage.ts';
import { TOKENS } from '../tokens.ts';
import { parseCommandLine } from './usage.ts';
import { withStorage } from './with-storage.ts';

/** One sweep: two looks, the grace apart. With `--dry-run` one look, which shows what is without a record. */
export async function sweep(args: readonly string[]): Promise<number> {
  const { values } = parseCommandLine({ args: [...args], options: { 'dry-run': { type: 'boolean' } } });
  const dryRun = values['dry-run'] === true;
  return await withStorage(async (container) => {
    if (!dryRun) await prepareDatabase(container);
    await claimBlobStore(container, { dryRun });
    // Of a catalog on S3 it is a folder of each machine, which need not have one yet.
    await prepareStaging(container);
    const sweepOrphans = container.get(SweepOrphans);
    const first = await sweepOrphans.execute({ dryRun });
    const { graceMs } = container.get(TOKENS.storageConfig).sweep;
    const report = first.blobsWatched === 0 ? first : await secondLook(sweepOrphans, first, graceMs);
    console.log(JSON.stringify(report));
    return 0;
  });
}

async function secondLook(
  sweepOrphans: SweepOrphans,
  first: Awaited<ReturnType<SweepOrphans['execute']>>,
  graceMs: number,
): Promise<typeof first> {
  console.error(`${first.blobsWatched} blobs without a record; looking again in ${graceMs / 1000} s`);
  await delay(graceMs);
  const second = await sweepOrphans.execute({ dryRun: false });
  return {
    ...second,
    stagedFiles: first.stagedFiles + second.stagedFiles,
    blobs: first.blobs + second.blobs,
    renditions: first.renditions + second.renditions,
    idempotencyKeys: first.idempotencyKeys + second.idempotencyKeys,
  };
}
