import { rename, rm, writeFile } from 'node:fs/promises';

/** Renamed, so that a kill leaves the earlier file and never half of the new one. */
export async function replaceFile(file: string, text: string, mode?: number): Promise<void> {
  const part = `${file}.part`;
  try {
    await writeFile(part, text, { mode });
    await rename(part, file);
  } finally {
    await rm(part, { force: true });
  }
}
