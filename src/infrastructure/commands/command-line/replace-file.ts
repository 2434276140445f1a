import { rename, rm, writeFile } from 'node:fs/promises';

/**
 * Renamed, so that a kill leaves the earlier file and never half of the new one. The temporary file is made anew: a symbolic link
 * under its name is removed, not followed.
 *
 * @param mode of a file for its owner alone; by default what the umask leaves
 */
export async function replaceFile(file: string, text: string, mode = 0o666): Promise<void> {
  await rm(`${file}.part`, { force: true });
  await writeFile(`${file}.part`, text, { flag: 'wx', mode });
  await rename(`${file}.part`, file);
}
