import { COMMON_SPACE, parseSpace, type Space } from '../../../domain/space/space.ts';
import { UsageError } from './usage.ts';

type Help = readonly [option: string, explanation: string];

/** Options that several commands have, with one spelling, one range and one default each. */
export const FORMAT = { format: { type: 'string' } } as const;
export const JOBS = { jobs: { type: 'string' } } as const;
export const RESUME_FILE = { resume: { type: 'string' } } as const;
export const SPACE = { space: { type: 'string' } } as const;
export const CATALOG = { url: { type: 'string' }, direct: { type: 'boolean' }, ...SPACE } as const;

const MAX_JOBS = 64;

export const RESUME_FILE_HELP: Help = [
  '--resume FILE',
  'notes the progress in the file, and continues from it',
];

export function formatHelp(json: string): Help {
  return ['--format json|table', `${json} (default: table on a terminal, else json)`];
}

/** At a time unless `--jobs` is given. With 8 uploads the service is idle while their files wait for the disk. */
const USUAL_JOBS = { uploads: 16, downloads: 16, 'copies of blobs': 8 } as const;

type Work = keyof typeof USUAL_JOBS;

export function jobsHelp(work: Work): Help {
  return ['--jobs N', `${work} at a time at most (${USUAL_JOBS[work]})`];
}

/**
 * The empty name is the space of all tokens while SPACE_CLAIM is unset.
 *
 * @throws {UsageError}
 */
export function parseSpaceName(text: string): Space {
  const space = text === COMMON_SPACE ? COMMON_SPACE : parseSpace(text);
  if (space !== undefined) return space;
  throw new UsageError(
    'A space has 1 to 255 characters and no control characters; the empty name is a space too',
  );
}

/**
 * `undefined` without `--space`.
 *
 * @throws {UsageError}
 */
export function parseSpaceOption(text: string | undefined): Space | undefined {
  return text === undefined ? undefined : parseSpaceName(text);
}

export function spaceHelp(without: string): Help {
  return ['--space NAME', `only this space, '' being one (default: ${without})`];
}

export type Format = 'json' | 'table';

/**
 * Without `text`: a table on a terminal, else JSON.
 *
 * @throws {UsageError}
 */
export function parseFormat(text: string | undefined): Format {
  const format = text ?? (process.stdout.isTTY ? 'table' : 'json');
  if (format === 'json' || format === 'table') return format;
  throw new UsageError('--format must be json or table');
}

/** @throws {UsageError} */
export function parseJobs(text: string | undefined, work: Work): number {
  if (text === undefined) return USUAL_JOBS[work];
  const jobs = /^[1-9]\d?$/.test(text) ? Number(text) : 0;
  if (jobs >= 1 && jobs <= MAX_JOBS) return jobs;
  throw new UsageError(`--jobs must be a whole number from 1 to ${MAX_JOBS}`);
}

export interface ChosenCatalog {
  readonly url: string | undefined;
  readonly direct: boolean;
  /** `undefined` without `--space`. */
  readonly space: Space | undefined;
}

interface CatalogOptions {
  readonly url?: string | undefined;
  readonly direct?: boolean | undefined;
  readonly space?: string | undefined;
}

/** @throws {UsageError} */
export function parseCatalog({ url, direct = false, space }: CatalogOptions): ChosenCatalog {
  if (url !== undefined && direct) throw new UsageError('--url and --direct exclude each other');
  if (space !== undefined && !direct) throw new UsageError('--space needs --direct: a token has a space');
  return { url, direct, space: parseSpaceOption(space) };
}

/** @throws {UsageError} */
export function parseFolder(command: string, positionals: readonly string[]): string {
  const [folder] = positionals;
  if (folder === undefined || positionals.length > 1) throw new UsageError(`${command} takes one folder`);
  return folder;
}
