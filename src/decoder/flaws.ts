import type { PictureFault } from '../domain/image/picture-faults.ts';
import { MalformedFile } from './structure/malformed-file.ts';

/** Faults for which an upload is refused, while a picture that the catalog has stored before is still read. */
export class Flaws {
  /** `undefined` if there is none. */
  first: PictureFault | undefined;

  constructor(private readonly isStored: boolean) {}

  /**
   * Notes the fault that `check` finds.
   *
   * @throws {MalformedFile} if the file is an upload, and whatever else `check` throws
   */
  async note(check: () => Promise<void> | void): Promise<void> {
    try {
      await check();
    } catch (error) {
      if (!(this.isStored && error instanceof MalformedFile)) throw error;
      this.first ??= error.fault;
    }
  }
}
