import { isDeepStrictEqual } from 'node:util';
import type { TransferPlan } from '../../../application/maintenance/transfer/transfer-plan.ts';
import { parseStorageConfig, type StorageConfig } from '../../config/config.ts';
import { InvalidConfig } from '../../config/invalid-config.ts';
import { FORMAT, type Format, JOBS, parseFormat, parseJobs } from '../command-line/shared-options.ts';
import { parseCommandLine, UsageError } from '../command-line/usage.ts';

const TARGET_FLAGS = { DATABASE_URL: '--to-database', BLOB_STORE_URL: '--to-blobs' } as const;

export interface TransferCommand {
  readonly source: StorageConfig;
  readonly target: StorageConfig;
  readonly moves: Pick<TransferPlan, 'records' | 'blobs'>;
  readonly resume: boolean;
  readonly verify: boolean;
  readonly jobs: number;
  readonly format: Format;
}

/** @throws {UsageError | InvalidConfig} */
export async function parseTransfer(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Promise<TransferCommand> {
  const { values } = parseCommandLine({
    args: [...args],
    options: {
      ...JOBS,
      ...FORMAT,
      'to-database': { type: 'string' },
      'to-blobs': { type: 'string' },
      resume: { type: 'boolean' },
      verify: { type: 'boolean' },
    },
  });
  const source = parseStorageConfig(environment);
  const target = parseTarget({
    ...environment,
    // Variables are an alternative to flags, because all users of the machine can read flags, and a URL may hold a password.
    DATABASE_URL: values['to-database'] ?? environment.TRANSFER_TO_DATABASE ?? environment.DATABASE_URL,
    BLOB_STORE_URL: values['to-blobs'] ?? environment.TRANSFER_TO_BLOBS ?? environment.BLOB_STORE_URL,
  });
  return {
    source,
    target,
    moves: await movesBetween(source, target),
    resume: values.resume === true,
    verify: values.verify === true,
    jobs: parseJobs(values.jobs, 'copies of blobs'),
    format: parseFormat(values.format),
  };
}

/** Callers know the flags of the target, not the variables that they stand for. */
export function nameFlags(problem: string): string {
  return problem.replace(/^(DATABASE_URL|BLOB_STORE_URL)\b/, (name) =>
    name === 'DATABASE_URL' ? TARGET_FLAGS.DATABASE_URL : TARGET_FLAGS.BLOB_STORE_URL,
  );
}

function parseTarget(environment: Readonly<Record<string, string | undefined>>): StorageConfig {
  try {
    return parseStorageConfig(environment);
  } catch (error) {
    if (!(error instanceof InvalidConfig)) throw error;
    throw new InvalidConfig(error.problems.map(nameFlags));
  }
}

async function movesBetween(source: StorageConfig, target: StorageConfig): Promise<TransferCommand['moves']> {
  const records = !(await isSamePlace(source.database, target.database));
  const blobs = !(await isSamePlace(source.blobStore, target.blobStore));
  if (!records && !blobs) {
    throw new UsageError('transfer needs --to-database, --to-blobs or both, other than what is configured');
  }
  return { records, blobs };
}

interface Place {
  identity(): Promise<string | undefined>;
}

/** Two spellings, or a link, may lead to one place. */
export async function isSamePlace(one: Place, other: Place): Promise<boolean> {
  if (isDeepStrictEqual(one, other)) return true;
  const [first, second] = await Promise.all([one.identity(), other.identity()]);
  return first !== undefined && first === second;
}
