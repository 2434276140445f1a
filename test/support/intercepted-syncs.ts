import { type FileHandle, open } from 'node:fs/promises';

type Sync = (this: FileHandle) => Promise<void>;

/**
 * Calls `observe` with the file handle before every fsync of this process; what it throws is what the fsync throws.
 * Resolves to a function that ends it. Node has no hook for this, so the method of the common prototype is exchanged.
 */
export async function interceptSyncs(observe: (handle: FileHandle) => void): Promise<() => void> {
  const probe = await open(import.meta.filename);
  const prototype = Object.getPrototypeOf(probe) as { sync: Sync };
  await probe.close();
  const { sync } = prototype;
  prototype.sync = async function observed(this: FileHandle): Promise<void> {
    observe(this);
    await sync.call(this);
  };
  return () => {
    prototype.sync = sync;
  };
}
