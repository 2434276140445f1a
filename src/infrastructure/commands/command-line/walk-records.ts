import type { CheckedRecord } from '../../../application/maintenance/checked-record.ts';
import type { Progress, ProgressFile } from './progress-file.ts';

/** Records between two notes of the progress. */
const NOTE_EVERY = 100;

/** Counts and prints what is found, and notes the progress. */
export async function walkRecords<Finding>(
  records: AsyncIterable<CheckedRecord<Finding>>,
  file: ProgressFile,
  started: Progress,
  print: (finding: Finding) => void,
): Promise<Progress> {
  let { checked, findings } = started;
  for await (const { imageId, finding } of records) {
    checked += 1;
    if (finding !== undefined) {
      findings += 1;
      print(finding);
    }
    if (checked % NOTE_EVERY === 0) await file.note({ after: imageId, checked, findings });
  }
  return { checked, findings };
}
