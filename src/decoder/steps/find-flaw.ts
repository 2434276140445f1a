import type { PictureFault } from '../../domain/image/picture-faults.ts';
import { MalformedFile } from '../structure/malformed-file.ts';
import type { Of } from './picture.ts';

/**
 * The fault that `check` finds. An upload is refused for it, while a picture that the catalog has stored before is still read.
 *
 * @throws {MalformedFile} if the file is an upload, and whatever else `check` throws
 */
export async function findFlaw(
  { isStored }: Of<'isStored'>,
  check: () => Promise<void> | void,
): Promise<PictureFault | undefined> {
  try {
    await check();
    return undefined;
  } catch (error) {
    if (!(isStored && error instanceof MalformedFile)) throw error;
    return error.fault;
  }
}
