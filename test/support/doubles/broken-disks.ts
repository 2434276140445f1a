import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { Readable } from 'node:stream';

interface BrokenDisks {
  /** Paths with a block that cannot be read. */
  readonly unreadable: ReadonlySet<string>;
  /** Paths with a block that cannot be written to. */
  readonly unwritable?: ReadonlySet<string>;
  /** Whether hard links fail, as between two disks. */
  readonly areApart: boolean;
}

/** From now on reading, linking and copying files fail as described. Returns a function that ends it. */
export function breakDisks({ unreadable, unwritable = new Set(), areApart }: BrokenDisks): () => void {
  const { createReadStream, promises } = fs;
  const { copyFile, link } = promises;
  fs.createReadStream = ((path: string, ...options: []) =>
    unreadable.has(path)
      ? brokenStream(path)
      : createReadStream(path, ...options)) as typeof createReadStream;
  promises.link = async (source, target) => {
    if (areApart) throw systemError('EXDEV', 'link');
    await link(source, target);
  };
  promises.copyFile = async (source, target, mode) => {
    if (!unreadable.has(String(source)) && !unwritable.has(String(target))) {
      return await copyFile(source, target, mode);
    }
    await promises.writeFile(target, 'a part');
    throw systemError('EIO', 'copyfile');
  };
  syncBuiltinESMExports();
  return () => {
    fs.createReadStream = createReadStream;
    Object.assign(promises, { copyFile, link });
    syncBuiltinESMExports();
  };
}

function brokenStream(path: string): Readable {
  return new Readable({ read: (): void => {} }).destroy(systemError('EIO', `read ${path}`));
}

function systemError(code: string, syscall: string): Error {
  return Object.assign(new Error(`${code}: ${syscall}`), { code, errno: -5, syscall });
}
