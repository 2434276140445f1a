import type { CheckedRecord } from '../../../application/maintenance/checked-record.ts';
import type { Progress, ProgressFile } from './progress-file.ts';
import { withBar } from './with-bar.ts';

/** Records between two notes of the progress. */
const NOTE_EVERY = 100;

interface RecordWalk {
  readonly file: ProgressFile;
  readonly started: Progress;
  readonly total: number;
  /** What the command notes besides the counts. */
  readonly notes?: () => Pick<Progress, 'damaged'>;
}

/** Counts and prints what is found, and notes the progress. */
export async function walkRecords<Finding>(
  records: AsyncIterable<CheckedRecord<Finding>>,
  { file, started, total, notes = () => ({}) }: RecordWalk,
  print: (finding: Finding) => void,
): Promise<Progress> {
  let { checked, findings } = started;
  const walk = async (update: (checked: number) => void): Promise<Progress> => {
    for await (const { imageId, finding } of records) {
      checked += 1;
      if (finding !== undefined) {
        findings += 1;
        print(finding);
      }
      if (checked % NOTE_EVERY !== 0) continue;
      update(checked);
      await file.note({ after: imageId, checked, findings, ...notes() });
    }
    update(checked);
    return { checked, findings };
  };
  return await withBar(total, (bar) => walk((value) => bar.update(value)), {
    from: checked,
    etaBuffer: 1000,
  });
}
