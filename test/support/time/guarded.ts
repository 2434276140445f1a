import { HANG_GUARD_MS } from './hang-guard.ts';

/** @throws {Error} with what the work has left to read, if it hangs */
export async function guarded<T>(work: Promise<T>, describe: () => string): Promise<T> {
  let guard: NodeJS.Timeout | undefined;
  const hung = new Promise<never>((_resolve, reject) => {
    guard = setTimeout(() => reject(new Error(`Hangs: ${describe()}`)), HANG_GUARD_MS);
  });
  try {
    return await Promise.race([work, hung]);
  } finally {
    clearTimeout(guard);
  }
}
