import { createHash } from 'node:crypto';
import { inMemory, type OpenedBlob } from '../../../src/domain/ports/bytes/readable-bytes.ts';
import type { TemporaryFile, TemporaryFiles } from '../../../src/domain/ports/bytes/temporary-files.ts';
import { concatenated } from '../fixtures/bytes.ts';
import { settled } from '../time/gate.ts';

export class InMemoryTemporaryFiles implements TemporaryFiles {
  /** Files that somebody holds. */
  held = 0;

  async write(bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<TemporaryFile> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of bytes) chunks.push(chunk);
    return this.#file(concatenated(chunks));
  }

  #file(bytes: Uint8Array): TemporaryFile {
    let holders = 1;
    this.held += 1;
    const letGo = (): void => {
      holders -= 1;
      if (holders === 0) this.held -= 1;
    };
    return {
      size: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      read: () => inMemory(bytes).read(),
      open: ({ start, end } = { start: 0, end: bytes.length - 1 }): OpenedBlob => {
        if (holders === 0) throw new TypeError('The temporary file is gone');
        holders += 1;
        const part = bytes.subarray(start, end + 1);
        let isHeld = true;
        const close = async (): Promise<void> => {
          if (isHeld) letGo();
          isHeld = false;
        };
        return { size: bytes.length, read: () => readAndClose(part, close), close };
      },
      release: () => void settled().then(letGo),
    };
  }
}

async function* readAndClose(
  bytes: Uint8Array,
  close: () => Promise<void>,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield bytes;
  } finally {
    await close();
  }
}
