import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { isOpenAndForeign } from '../../adapters/sql/sqlite/keep-private.ts';
import type { StorageConfig } from '../config/config.ts';
import { ENV_FILE } from '../config/read-environment.ts';
import { canWriteTo, writableProgramFolders } from '../start/writable-program.ts';
import { type CheckResult, hint, warning } from './check-result.ts';
import { nearestExisting } from './nearest-existing.ts';

interface Surroundings {
  /** Its `.env` is read at the start. */
  readonly workingFolder: string;
  /** Where the program is for others than developers: hints are warnings. */
  readonly isProduction: boolean;
  readonly programFolders?: readonly string[];
}

/** What other users of the machine can read, and what a decoder could change that a file has taken over: it has the user of the service. */
export async function checkFiles(
  config: StorageConfig,
  { workingFolder, isProduction, programFolders }: Surroundings,
): Promise<readonly CheckResult[]> {
  const advise = isProduction ? warning : hint;
  const program = programFolders ?? (await writableProgramFolders());
  const database = config.database.file;
  return [
    ...[database, database && `${database}-wal`, database && `${database}-shm`, join(workingFolder, ENV_FILE)]
      .filter((file) => file !== undefined && isOpenAndForeign(file))
      .map((file) => openFile(String(file))),
    ...((await holdsWritablePictures(config, workingFolder)) ? [advise(...envAdvice(workingFolder))] : []),
    ...(program.length > 0 ? [advise(...programAdvice(program))] : []),
  ];
}

/** The service closes its own files to others, and leaves those of another user. */
function openFile(file: string): CheckResult {
  return warning(
    `${file} can be read by every user of this machine, and the service leaves its mode because it belongs to another user`,
    `chmod o-rwx ${file}`,
  );
}

function envAdvice(folder: string): readonly [text: string, change: string] {
  return [
    `The service reads .env in ${folder}, where its user can write, and its pictures are on the same file system. A decoder that a file has taken over could rename a picture to .env (docs/security.md, "Decoders")`,
    'start the service in a folder that its user cannot write to, such as /, and give it its variables and absolute paths by its environment',
  ];
}

function programAdvice(folders: readonly string[]): readonly [text: string, change: string] {
  return [
    `The user of the service can write to its program in ${folders.join(' and ')}. A decoder that a file has taken over could replace it (docs/security.md, "Decoders")`,
    'install the program as another user than the one that runs it',
  ];
}

/** A file can be renamed within a file system only. */
async function holdsWritablePictures(
  { blobStore, stagingPath, renditions }: StorageConfig,
  workingFolder: string,
): Promise<boolean> {
  if (!(await canWriteTo(workingFolder))) return false;
  const { dev } = await stat(workingFolder);
  for (const folder of [blobStore.blobFolder, stagingPath, renditions.cache.blobFolder]) {
    if (folder !== undefined && (await stat(nearestExisting(resolve(folder)))).dev === dev) return true;
  }
  return false;
}
