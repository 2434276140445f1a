import type { CatalogStorage } from '../catalog-storage.ts';
import { requireDecoders, requireOwnBlobs } from '../start/prepare-storage.ts';
import { command } from './command-line/command.ts';
import { closingLine, countOf, printAs } from './command-line/output.ts';
import { ProgressFile } from './command-line/progress-file.ts';
import { formatOption, RESUME_FILE } from './command-line/shared-options.ts';
import { type CheckedRecord, walkRecords } from './command-line/walk-records.ts';
import { withStorage } from './with-storage.ts';

/** A file that could not be read. */
interface Failure {
  readonly imageId: number;
  readonly blobKey: string;
  readonly failure: string;
}

/** Exit code 1 if files could not be read. */
export const reindex = command({
  summary: 'reads every file again: camera data and keywords for search, hashes for similar images',
  options: { resume: RESUME_FILE, format: formatOption('one line per file that cannot be read') },
  run: ({ resume, format }) =>
    withStorage(async (storage) => {
      await requireOwnBlobs(storage.claimBlobStore, { dryRun: true });
      const file = new ProgressFile(resume, 'reindex');
      const started = await file.read();
      const total = await storage.images.count();
      if (total > 0) await requireDecoders(storage.decoders);
      const records = readAgain(storage, started.after);
      const { checked, findings } = await walkRecords(
        records,
        { file, started, total },
        printAs(format, rowOf),
      );
      await file.remove();
      closingLine(summaryOf(checked, findings));
      return findings === 0 ? 0 : 1;
    }),
});

async function* readAgain(
  { reindexCatalog }: CatalogStorage,
  after: number | undefined,
): AsyncGenerator<CheckedRecord<Failure>, void, undefined> {
  for await (const { image, failure } of reindexCatalog.images({ after })) {
    const imageId = image.id;
    yield { imageId, finding: failure === undefined ? undefined : { imageId, blobKey: image.uuid, failure } };
  }
}

function rowOf({ imageId, blobKey, failure }: Failure): string {
  return `${String(imageId).padStart(10)} ${blobKey} ${failure}`;
}

function summaryOf(images: number, failures: number): string {
  const read = `${countOf(images - failures, 'image')} read again.`;
  return failures === 0 ? read : `${read} ${countOf(failures, 'file')} could not be read, listed above.`;
}
