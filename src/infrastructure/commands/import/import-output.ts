import type { FileOutcome, ImportReport } from '../../../application/maintenance/import/import-folder.ts';

export interface ImportOutput {
  readonly onOutcome: (outcome: FileOutcome, report: Readonly<ImportReport>) => void;
  readonly finish: (report: Readonly<ImportReport>, seconds: number) => void;
}

/** One line for each file, and one for the report. */
export function jsonOutput(dryRun: boolean): ImportOutput {
  return {
    onOutcome: (outcome) => console.log(JSON.stringify(outcome)),
    finish: (report, seconds) => console.log(JSON.stringify({ report: { ...report, dryRun, seconds } })),
  };
}
