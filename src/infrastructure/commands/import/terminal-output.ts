import { SingleBar } from 'cli-progress';
import type { ImportReport } from '../../../application/maintenance/import/import-folder.ts';
import { FILE_KIND_NAMES } from '../../../domain/image/file-kind.ts';
import { countOf } from '../command-line/output.ts';
import type { ImportOutput } from './import-output.ts';

/** Problems that are printed; the others are only counted. */
const MAX_PROBLEMS = 50;

/** A bar, then what was refused or has failed, then the report. */
export function terminalOutput(dryRun: boolean, count: Promise<number>): ImportOutput {
  const bar = new SingleBar({
    stream: process.stderr,
    noTTYOutput: false,
    format:
      '[{bar}] {percentage}% | {value}/{total} files | {created} new, {present} there, {problems} problems | ETA {eta_formatted}',
  });
  const problems: string[] = [];
  bar.start(0, 0, { created: 0, present: 0, problems: 0 });
  void count.then((total) => bar.setTotal(total));
  return {
    onOutcome: (outcome, { found, created, present, refused, failed }) => {
      bar.update(found, { created, present, problems: refused + failed });
      if ('flaw' in outcome && outcome.flaw !== undefined) {
        problems.push(`${outcome.path}: created, although: ${outcome.flaw}`);
      }
      if ('code' in outcome) {
        problems.push(`${outcome.path}: ${outcome.outcome}, ${outcome.message} (${outcome.code})`);
      }
    },
    finish: (report, seconds) => {
      bar.stop();
      for (const problem of problems.slice(0, MAX_PROBLEMS)) console.log(problem);
      if (problems.length > MAX_PROBLEMS) console.log(`… and ${problems.length - MAX_PROBLEMS} more`);
      console.log(summaryOf(report, dryRun, seconds));
    },
  };
}

function summaryOf(report: Readonly<ImportReport>, dryRun: boolean, seconds: number): string {
  const { found, created, flawed, present, failed, skipped, bytes } = report;
  const megabytes = Math.round(bytes / 1e5) / 10;
  const verb = dryRun ? 'would be created' : 'created';
  const flaws = flawed === 0 ? '' : `, ${flawed} of them damaged: an upload would be refused`;
  return `${countOf(found, 'file')} in ${seconds} s: ${created} ${verb} (${megabytes} MB)${flaws}, ${present} already there, ${refusedText(report)}, ${failed} failed; ${skipped} skipped.`;
}

/** "3 refused (1 HEIC, 1 other)" */
function refusedText({ refused, refusedKinds }: Readonly<ImportReport>): string {
  const names: Readonly<Record<string, string>> = FILE_KIND_NAMES;
  const kinds = Object.entries(refusedKinds).map(([kind, count]) => `${count} ${names[kind] ?? kind}`);
  return `${refused} refused${kinds.length === 0 ? '' : ` (${kinds.join(', ')})`}`;
}
