import { loadStyles } from './load-styles.ts';

/** Those that the cache of the browser has, or that are on their way to it. */
const fetched = new Map<string, Promise<void>>();

/**
 * For every `import()`, instead of what Vite has for it: gets all files at once, and imports them when they are there. Of a module
 * that could not be loaded, browsers keep that it fails, for all modules that import it.
 *
 * @param files relative to the importer: the file to be imported, and what it imports; none if it imports nothing
 */
export async function loadWithFiles<Chunk>(
  load: () => Promise<Chunk>,
  files: readonly string[] | undefined,
  importer: string,
): Promise<Chunk> {
  const addresses = files?.map((file) => new URL(file, importer).href) ?? [];
  await Promise.all(addresses.map((address) => (address.endsWith('.css') ? loadStyles : fetchOnce)(address)));
  return await load();
}

async function fetchOnce(address: string): Promise<void> {
  const known = fetched.get(address) ?? fetchWhole(address);
  fetched.set(address, known);
  try {
    await known;
  } catch (error) {
    fetched.delete(address);
    throw error;
  }
}

async function fetchWhole(address: string): Promise<void> {
  const response = await fetch(address);
  if (!response.ok) throw new TypeError('A file of the gallery cannot be loaded');
  // Until then, it is not in the cache.
  await response.arrayBuffer();
}
