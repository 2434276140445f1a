import { realpath } from 'node:fs/promises';
import {
  CATALOG,
  type ChosenCatalog,
  FORMAT,
  type Format,
  JOBS,
  parseCatalog,
  parseFolder,
  parseFormat,
  parseJobs,
} from './shared-options.ts';
import { parseCommandLine, UsageError } from './usage.ts';

/** Hides the time in which a file waits for the disk: with 8 the service is idle between uploads. */
const USUAL_JOBS = 16;

export interface ImportCommand extends ChosenCatalog {
  /** Absolute, without links. */
  readonly folder: string;
  readonly jobs: number;
  readonly dryRun: boolean;
  readonly format: Format;
  readonly tags: readonly string[];
}

/** @throws {UsageError} */
export async function parseImport(args: readonly string[]): Promise<ImportCommand> {
  const { values, positionals } = parseCommandLine({
    args: [...args],
    allowPositionals: true,
    options: {
      ...CATALOG,
      ...JOBS,
      ...FORMAT,
      'dry-run': { type: 'boolean' },
      tag: { type: 'string', multiple: true },
    },
  });
  return {
    ...parseCatalog(values),
    folder: await existing(parseFolder('import', positionals)),
    jobs: parseJobs(values.jobs, USUAL_JOBS),
    dryRun: values['dry-run'] === true,
    format: parseFormat(values.format),
    tags: values.tag ?? [],
  };
}

async function existing(folder: string): Promise<string> {
  try {
    return await realpath(folder);
  } catch (error) {
    throw new UsageError(
      `${folder} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}
