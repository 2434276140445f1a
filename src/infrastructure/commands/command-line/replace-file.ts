import { rename, writeFile } from 'node:fs/promises';

/** Renamed, so that a kill leaves the earlier file and never half of the new one. */
export async function replaceFile(file: string, text: string): Promise<void> {
  await writeFile(`${file}.part`, text);
  await rename(`${file}.part`, file);
}
