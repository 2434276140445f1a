import { formatHelp, jobsHelp, RESUME_FILE_HELP, spaceHelp } from './command-line/shared-options.ts';
import type { Command } from './command-line/usage.ts';

export interface CommandEntry {
  /** What stands behind the name on the command line. */
  readonly operands?: string;
  readonly summary: string;
  /** Each with its explanation. */
  readonly options?: ReadonlyArray<readonly [option: string, explanation: string]>;
  /** The service does not load what only maintenance uses. */
  readonly load: () => Promise<Command>;
}

export const COMMANDS: Readonly<Record<string, CommandEntry>> = {
  serve: {
    summary: 'the service (the default)',
    load: async () => (await import('./serve.ts')).serve,
  },
  doctor: {
    summary: 'checks the configuration, the identity provider and the storage, and says what to change',
    options: [
      ['--token -', 'also explains how the service would judge the token on standard input'],
      ['--format text|json', 'words, or one line per check (default: text)'],
    ],
    load: async () => (await import('./doctor.ts')).doctor,
  },
  migrate: {
    summary: 'brings the database schema up to date, as the service does when it starts',
    load: async () => (await import('./migrate.ts')).migrate,
  },
  verify: {
    summary: 'checks every record against its bytes; changes nothing unless asked to',
    options: [
      ['--sample PERCENT', 'checks a random part of the records: 1% or 0.5%'],
      RESUME_FILE_HELP,
      ['--metrics FILE', "writes the result for Prometheus' node_exporter; not with --resume"],
      ['--repair-counters', 'instead: counts the images of each space, and sets wrong counters right'],
      formatHelp('one line per finding'),
    ],
    load: async () => (await import('./verify.ts')).verify,
  },
  reindex: {
    summary: 'reads every file again: camera data and keywords for search, hashes for similar images',
    options: [RESUME_FILE_HELP, formatHelp('one line per file that cannot be read')],
    load: async () => (await import('./reindex.ts')).reindex,
  },
  sweep: {
    summary: 'removes orphaned files of crashes; checks twice, the grace apart',
    options: [['--dry-run', 'shows what would be removed']],
    load: async () => (await import('./sweep.ts')).sweep,
  },
  'rotate-link-key': {
    summary: 'makes a new key for signed links; earlier links stay good until they expire',
    options: [['--revoke', 'ends all earlier links, within a second']],
    load: async () => (await import('./rotate-link-key.ts')).rotateLinkKey,
  },
  changes: {
    summary: 'prints what has changed in the catalog, one JSON line per change',
    options: [
      ['--after CURSOR', 'begins behind a change, or with latest at the end (default: the oldest kept)'],
      ['--follow', 'goes on as changes come'],
      spaceHelp('all'),
    ],
    load: async () => (await import('./changes.ts')).changes,
  },
  webhooks: {
    operands: '[resume N|URL | replay N|URL --after CURSOR]',
    summary:
      'lists the endpoints of webhooks; resumes one that has stopped, or moves one to a place in the feed',
    options: [
      ['--after CURSOR', 'of replay: everything behind it is delivered again'],
      formatHelp('one line per endpoint'),
    ],
    load: async () => (await import('./webhooks.ts')).webhooks,
  },
  spaces: {
    operands: '[set NAME | assign FROM TO | remove NAME]',
    summary: 'lists the spaces; limits one, gives one another name, or deletes one with all its images',
    options: [
      ['--max-bytes N|default', 'of set: how many bytes of originals the space may hold'],
      ['--max-images N|default', 'of set: how many images; default is the limit of the settings'],
      ['--wait', "of assign from or to '' above 10,000 images: uploads wait meanwhile"],
      ['--yes', 'of remove, which cannot be undone; can be repeated after an interruption'],
      formatHelp('one line per space'),
    ],
    load: async () => (await import('./spaces/spaces.ts')).spaces,
  },
  import: {
    operands: 'FOLDER',
    summary: 'uploads the images of a folder that the catalog has not; a later call does the rest',
    options: [
      ['--url URL', 'a running service (or the variable CATALOG_URL; credentials: see docs/import.md)'],
      ['--direct', 'instead: the storage that is configured on this machine'],
      ['--space NAME', "with --direct: the space of the images, whatever its limits (default: '')"],
      jobsHelp('uploads'),
      ['--tag TAG', 'a tag for each new image, without a comma; can be repeated'],
      ['--dry-run', 'reads and looks up, but uploads nothing and makes no catalog'],
      formatHelp('one line per file, then the report'),
      ['--journal FILE', 'where to remember what is done (default: below ~/.local/state)'],
    ],
    load: async () => (await import('./import/import.ts')).importFolder,
  },
  backup: {
    operands: 'DIR',
    summary: 'makes a consistent copy in a new or empty folder; the service may run',
    options: [['--resume', 'continues in the folder of a backup that was killed']],
    load: async () => (await import('./backup.ts')).backup,
  },
  restore: {
    operands: 'DIR',
    summary: 'puts a copy that backup has made into its place, and writes over no catalog',
    load: async () => (await import('./restore.ts')).restore,
  },
  export: {
    operands: 'FOLDER',
    summary:
      'copies originals and records into a folder, which import reads back; a second run adds what is missing',
    options: [
      ['--url URL', 'as for import'],
      ['--direct', 'as for import'],
      spaceHelp('with --direct, all'),
      ['--since TIME', 'only images uploaded after a day (2026-01-31) or an RFC 3339 time'],
      jobsHelp('downloads'),
      formatHelp('one line per image, then the report'),
    ],
    load: async () => (await import('./export.ts')).exportCatalog,
  },
  transfer: {
    summary: 'copies the catalog to another database, blob store, or both; the service may run',
    options: [
      ['--to-database URL', 'or the variable TRANSFER_TO_DATABASE, which other users cannot read'],
      ['--to-blobs URL', 'or the variable TRANSFER_TO_BLOBS; a part that is not named stays in place'],
      ['--resume', 'continues an earlier transfer, and catches up with the source'],
      ['--verify', 'finally checks every record of the target against its bytes'],
      jobsHelp('copies of blobs'),
      formatHelp('the report'),
    ],
    load: async () => (await import('./transfer/transfer.ts')).transfer,
  },
};
