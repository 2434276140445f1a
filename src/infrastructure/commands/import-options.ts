import { realpath } from 'node:fs/promises';
import { parseCommandLine, UsageError } from './usage.ts';

/** Hides the time in which a file waits for the disk: with 8 the service is idle between uploads. */
const DEFAULT_JOBS = '16';
const MAX_JOBS = 64;

export interface ImportCommand {
  /** Absolute, without links. */
  readonly folder: string;
  readonly url: string | undefined;
  readonly direct: boolean;
  readonly jobs: number;
  readonly dryRun: boolean;
  readonly json: boolean;
  readonly tags: readonly string[];
}

/** @throws {UsageError} */
export async function parseImport(args: readonly string[]): Promise<ImportCommand> {
  const { values, positionals } = parseCommandLine({
    args: [...args],
    allowPositionals: true,
    options: {
      url: { type: 'string' },
      direct: { type: 'boolean' },
      jobs: { type: 'string' },
      'dry-run': { type: 'boolean' },
      json: { type: 'boolean' },
      tag: { type: 'string', multiple: true },
    },
  });
  const [folder] = positionals;
  if (folder === undefined || positionals.length > 1) throw new UsageError('import takes one folder');
  if (values.url !== undefined && values.direct === true)
    throw new UsageError('--url and --direct exclude each other');
  return {
    folder: await existing(folder),
    url: values.url,
    direct: values.direct === true,
    jobs: parseJobs(values.jobs),
    dryRun: values['dry-run'] === true,
    json: values.json === true || !process.stdout.isTTY,
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

/** @throws {UsageError} */
export function parseJobs(text = DEFAULT_JOBS): number {
  const number = /^[1-9]\d?$/.test(text) ? Number(text) : 0;
  if (number >= 1 && number <= MAX_JOBS) return number;
  throw new UsageError(`--jobs must be a whole number from 1 to ${MAX_JOBS}`);
}
