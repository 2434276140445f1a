import { CatalogError } from '@image-catalog/client';
import { GalleryUpdated } from './gallery-updated.ts';

/** The cache of the browser knows the files that have been replaced. */
const FROM_SERVER = { method: 'HEAD', cache: 'no-store' } as const;

/**
 * For every `import()`: says what has gone wrong in terms that `Trouble` knows.
 *
 * @param load its name in the file decides what the bundler puts into the chunk
 */
export async function loadPart<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch {
    throw await explain();
  }
}

/** A failed import does not tell its status. The script of the page is replaced whenever one of its parts is. */
async function explain(): Promise<Error> {
  const own = await fetch(import.meta.url, FROM_SERVER).catch(() => undefined);
  if (own?.status === 404) return new GalleryUpdated();
  const status = own?.status ?? 0;
  return new CatalogError('A part of the gallery cannot be loaded', { code: 'network_error', status });
}
