import { access, constants } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { packageFolder } from '../package-folder.ts';

/**
 * The folders of the program and of its packages that the user of this process can write to or replace. Code that runs as this
 * user, such as that of a file which has taken over a decoder, could change the program there.
 *
 * @param own the folder of the package
 */
export async function writableProgramFolders(own: string = packageFolder()): Promise<readonly string[]> {
  const parent = dirname(own);
  const packages = basename(parent) === 'node_modules' ? parent : join(own, 'node_modules');
  const folders = [join(own, 'dist'), packages];
  const areWritable = await Promise.all(folders.map(canBeReplaced));
  return folders.filter((_, at) => areWritable[at]);
}

async function canBeReplaced(folder: string): Promise<boolean> {
  return (await canWriteTo(folder)) || (await canWriteTo(dirname(folder)));
}

/** Whether files can be made and renamed in a folder. */
export async function canWriteTo(folder: string): Promise<boolean> {
  return await access(folder, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
}
