import type { UnreadFile } from '../../application/maintenance/reindex-catalog.ts';
import { requireDecoders, requireOwnBlobs } from '../start/prepare-storage.ts';
import { TOKENS } from '../tokens.ts';
import { command } from './command-line/command.ts';
import { closingLine, countOf, printAs } from './command-line/output.ts';
import { ProgressFile } from './command-line/progress-file.ts';
import { formatOption, RESUME_FILE } from './command-line/shared-options.ts';
import { walkRecords } from './command-line/walk-records.ts';
import { withStorage } from './with-storage.ts';

/** Exit code 1 if files could not be read. */
export const reindex = command({
  summary: 'reads every file again: camera data and keywords for search, hashes for similar images',
  options: { resume: RESUME_FILE, format: formatOption('one line per file that cannot be read') },
  run: ({ resume, format }) =>
    withStorage(async (storage) => {
      await requireOwnBlobs(storage.get(TOKENS.claimBlobStore), { dryRun: true });
      const file = new ProgressFile(resume, 'reindex');
      const started = await file.read();
      const total = await storage.get(TOKENS.images).count();
      if (total > 0) await requireDecoders(storage.get(TOKENS.decoders));
      const records = storage.get(TOKENS.reindexCatalog).records(started.after);
      const print = printAs(format, rowOf);
      const { checked, findings } = await walkRecords(records, { file, started, total }, print);
      await file.remove();
      closingLine(summaryOf(checked, findings));
      return findings === 0 ? 0 : 1;
    }),
});

function rowOf({ imageId, blobKey, failure }: UnreadFile): string {
  return `${String(imageId).padStart(10)} ${blobKey} ${failure}`;
}

function summaryOf(images: number, failures: number): string {
  const read = `${countOf(images - failures, 'image')} read again.`;
  return failures === 0 ? read : `${read} ${countOf(failures, 'file')} could not be read, listed above.`;
}
