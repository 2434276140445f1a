import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { StorageConfig } from '../config/config.ts';
import { canWriteTo, writableProgramFolders } from '../start/writable-program.ts';
import { type CheckResult, hint, warning } from './check-result.ts';

interface Surroundings {
  /** Its `.env` is read at the start. */
  readonly workingFolder: string;
  /** Where the program is for others than developers: hints are warnings. */
  readonly isProduction: boolean;
  readonly programFolders?: readonly string[];
}

/** What a decoder could change that a file has taken over, because it has the user of the service. */
export async function checkFolders(
  config: StorageConfig,
  { workingFolder, isProduction, programFolders }: Surroundings,
): Promise<readonly CheckResult[]> {
  const advise = isProduction ? warning : hint;
  const program = programFolders ?? (await writableProgramFolders());
  return [
    ...((await holdsWritablePictures(config, workingFolder)) ? [advise(...envAdvice(workingFolder))] : []),
    ...(program.length > 0 ? [advise(...programAdvice(program))] : []),
  ];
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

function nearestExisting(folder: string): string {
  return existsSync(folder) ? folder : nearestExisting(dirname(folder));
}
