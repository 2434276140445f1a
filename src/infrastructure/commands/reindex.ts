import { SingleBar } from 'cli-progress';
import type { CatalogStorage } from '../catalog-storage.ts';
import { requireDecoders, requireOwnBlobs } from '../start/prepare-storage.ts';
import { ProgressFile } from './command-line/progress-file.ts';
import { FORMAT, type Format, parseFormat, RESUME_FILE } from './command-line/shared-options.ts';
import { closingLine, countOf, parseCommandLine } from './command-line/usage.ts';
import { withStorage } from './with-storage.ts';

/** Images between two notes of the progress. */
const NOTE_EVERY = 100;

/** A file that could not be read. */
interface Failure {
  readonly imageId: number;
  readonly blobKey: string;
  readonly failure: string;
}

/** Exit code 1 if files could not be read. */
export async function reindex(args: readonly string[]): Promise<number> {
  const { values } = parseCommandLine({ args: [...args], options: { ...FORMAT, ...RESUME_FILE } });
  const print = printFailureAs(parseFormat(values.format));
  const progress = new ProgressFile(values.resume, 'reindex');
  return await withStorage(async (storage) => {
    await requireOwnBlobs(storage.claimBlobStore, { dryRun: true });
    const failures = await reindexImages(storage, progress, print);
    return failures === 0 ? 0 : 1;
  });
}

function printFailureAs(format: Format): (failure: Failure) => void {
  if (format === 'json') return (failure) => console.log(JSON.stringify(failure));
  return ({ imageId, blobKey, failure }) =>
    console.log(`${String(imageId).padStart(10)} ${blobKey} ${failure}`);
}

async function reindexImages(
  { reindexCatalog, images, decoders }: CatalogStorage,
  file: ProgressFile,
  print: (failure: Failure) => void,
): Promise<number> {
  let { after, checked, findings } = await file.read();
  const records = await images.count();
  if (records > 0) await requireDecoders(decoders);
  const bar = new SingleBar({ stream: process.stderr, noTTYOutput: false, etaBuffer: 1000 });
  bar.start(records, checked);
  for await (const { image, failure } of reindexCatalog.images({ after })) {
    after = image.id;
    checked += 1;
    if (failure !== undefined) {
      findings += 1;
      print({ imageId: image.id, blobKey: image.uuid, failure });
    }
    if (checked % NOTE_EVERY !== 0) continue;
    bar.update(checked);
    await file.note({ after, checked, findings });
  }
  bar.update(checked);
  bar.stop();
  await file.remove();
  closingLine(summaryOf(checked, findings));
  return findings;
}

function summaryOf(images: number, failures: number): string {
  const read = `${countOf(images - failures, 'image')} read again.`;
  return failures === 0 ? read : `${read} ${countOf(failures, 'file')} could not be read, listed above.`;
}
