import fs from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

type SyncHandle = (this: FileHandle) => Promise<void>;

/** A file that is about to be synced. */
export interface Synced {
  readonly fd: number;
}

/**
 * Calls `observe` before every fsync of this process, by a handle, by its descriptor or by a stream that flushes. The fsync fails with
 * the error that it throws. Resolves to a function that ends it. Node.js has no hook for this, so the method of the handles'
 * prototype and the function for descriptors are replaced.
 */
export async function interceptSyncs(observe: (file: Synced) => void): Promise<() => void> {
  const probe = await open(import.meta.filename);
  const prototype = Object.getPrototypeOf(probe) as { sync: SyncHandle };
  await probe.close();
  const { sync } = prototype;
  const { fsync } = fs;
  prototype.sync = async function observed(this: FileHandle): Promise<void> {
    observe(this);
    await sync.call(this);
  };
  fs.fsync = Object.assign(
    (fd: number, done: fs.NoParamCallback): void => {
      const failure = failureOf(() => observe({ fd }));
      if (failure === undefined) fsync(fd, done);
      else process.nextTick(done, failure);
    },
    { __promisify__: fsync.__promisify__ },
  );
  syncBuiltinESMExports();
  return () => {
    prototype.sync = sync;
    fs.fsync = fsync;
    syncBuiltinESMExports();
  };
}

function failureOf(observe: () => void): NodeJS.ErrnoException | undefined {
  try {
    observe();
    return undefined;
  } catch (error) {
    return error as NodeJS.ErrnoException;
  }
}
