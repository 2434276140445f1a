import { createHash } from 'node:crypto';
import { realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { explainSystemError } from '../../../adapters/filesystem/file-system-errors.ts';
import { InvalidMetadata } from '../../../domain/errors.ts';
import { parseTags } from '../../../domain/image/metadata.ts';
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
} from '../command-line/shared-options.ts';
import { parseCommandLine, UsageError } from '../command-line/usage.ts';

export interface ImportCommand extends ChosenCatalog {
  /** Absolute, without links. */
  readonly folder: string;
  readonly jobs: number;
  readonly dryRun: boolean;
  readonly format: Format;
  readonly tags: readonly string[];
  readonly journal: string | undefined;
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
      journal: { type: 'string' },
    },
  });
  return {
    ...parseCatalog(values),
    folder: await requireFolder(parseFolder('import', positionals)),
    jobs: parseJobs(values.jobs, 'uploads'),
    dryRun: values['dry-run'] === true,
    format: parseFormat(values.format),
    tags: requireTags(values.tag ?? []),
    journal: values.journal,
  };
}

/** One for each folder and catalog, where programs keep their state: XDG Base Directory Specification. */
export function journalPath(
  { folder, journal }: Pick<ImportCommand, 'folder' | 'journal'>,
  catalog: string,
  stateHome: string | undefined,
): string {
  if (journal !== undefined) return resolve(journal);
  const name = createHash('sha256').update(`${folder}\n${catalog}`).digest('hex').slice(0, 16);
  return join(stateHome || join(homedir(), '.local/state'), 'image-catalog', `import-${name}.jsonl`);
}

async function requireFolder(folder: string): Promise<string> {
  try {
    const path = await realpath(folder);
    if ((await stat(path)).isDirectory()) return path;
  } catch (error) {
    throw new UsageError(`FOLDER cannot be read: ${explainSystemError(error as NodeJS.ErrnoException)}`);
  }
  throw new UsageError(`FOLDER cannot be read: ${folder} is a file`);
}

/** @throws {UsageError} as the catalog would refuse each file */
function requireTags(tags: readonly string[]): readonly string[] {
  try {
    return parseTags(tags, 'tags');
  } catch (error) {
    throw error instanceof InvalidMetadata ? new UsageError(`--tag ${error.rule}`) : error;
  }
}
