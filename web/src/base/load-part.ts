import { CatalogError } from '@image-catalog/client';
import { GalleryUpdated } from './gallery-updated.ts';

/** The cache of the browser knows the files that have been replaced. */
const FROM_SERVER = { method: 'HEAD', cache: 'no-store' } as const;

/** Chromium and Firefox name the file in their message. */
const FILE = /https?:\S+\.js/;

let attempts = 0;

/**
 * For every `import()`: says what has gone wrong in terms that `Trouble` knows.
 *
 * @param load its name in the file decides what the bundler puts into the chunk
 */
export async function loadPart<T, Chunk>(load: () => Promise<Chunk>, pick: (chunk: Chunk) => T): Promise<T> {
  try {
    return pick(await load().catch(loadAgain<Chunk>));
  } catch {
    throw await explain();
  }
}

/** A browser may keep that an import has failed, for as long as the page is open. By another address it loads the file. */
async function loadAgain<Chunk>(failure: unknown): Promise<Chunk> {
  const file = FILE.exec(String(failure))?.[0];
  if (file === undefined) throw failure;
  attempts += 1;
  return (await import(/* @vite-ignore */ `${file}#${attempts}`)) as Chunk;
}

/** A failed import does not tell its status. The script of the page is replaced whenever one of its parts is. */
async function explain(): Promise<Error> {
  const own = await fetch(import.meta.url, FROM_SERVER).catch(() => undefined);
  if (own?.status === 404) return new GalleryUpdated();
  const status = own?.status ?? 0;
  return new CatalogError('A part of the gallery cannot be loaded', { code: 'network_error', status });
}
