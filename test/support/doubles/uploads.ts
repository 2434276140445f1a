import type { IncomingFile, ReceivedFile } from '../../../src/application/upload/incoming-file.ts';
import type { UploadSlot } from '../../../src/application/upload/upload-slot.ts';
import type { StagedFile } from '../../../src/domain/ports/bytes/staging-area.ts';

export const FREE_SLOT: UploadSlot = {
  setArriving: () => {},
  release: () => {},
  [Symbol.dispose]: () => {},
};

export const UNREAD_FILE: IncomingFile = {
  isGone: false,
  receive: () => Promise.reject(new Error('The file was read')),
  hash: () => Promise.reject(new Error('The file was read')),
};

/** A JPEG that arrives. */
export function incomingFile(
  stage: () => Promise<StagedFile>,
  facts: Partial<Pick<ReceivedFile, 'originalName' | 'metadata'>> = {},
): IncomingFile {
  return {
    isGone: false,
    receive: async () => {
      const staged = await stage();
      const file = { originalName: 'cat.jpg', mediaType: 'image/jpeg', staged, ...facts } as const;
      return { ...file, [Symbol.asyncDispose]: () => staged.discard() };
    },
    hash: async () => {
      const staged = await stage();
      await staged.discard();
      return staged.sha256;
    },
  };
}
