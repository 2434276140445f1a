import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

type Written = (
  error: NodeJS.ErrnoException | null,
  bytesWritten: number,
  buffers: NodeJS.ArrayBufferView[],
) => void;

/** From now on `writev` takes only some bytes of each write, as a system may. Returns a function that ends it. */
export function takeWritesInPart(maxBytes: number): () => void {
  const { writev } = fs;
  const partial = (fd: number, buffers: readonly NodeJS.ArrayBufferView[], done: Written): void => {
    const [first] = buffers;
    const bytes =
      first === undefined ? [] : [new Uint8Array(first.buffer, first.byteOffset, first.byteLength)];
    writev(
      fd,
      bytes.map((some) => some.subarray(0, maxBytes)),
      done,
    );
  };
  fs.writev = Object.assign(partial, { __promisify__: writev.__promisify__ }) as typeof writev;
  syncBuiltinESMExports();
  return () => {
    fs.writev = writev;
    syncBuiltinESMExports();
  };
}
