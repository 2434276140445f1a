import type { ParserTarget } from './parser-target.ts';

/** By name. Imported on request: the coverage is switched on before. */
const TARGETS: Readonly<Record<string, () => Promise<ParserTarget>>> = {
  png: async () => (await import('./pictures.ts')).png,
  jpeg: async () => (await import('./pictures.ts')).jpeg,
  webp: async () => (await import('./animations.ts')).webpFile,
  gif: async () => (await import('./animations.ts')).gifFile,
  lzw: async () => (await import('./animations.ts')).gifPixels,
  exif: async () => (await import('./embedded.ts')).exif,
  iptc: async () => (await import('./embedded.ts')).iptc,
  xmp: async () => (await import('./embedded.ts')).xmp,
  form: async () => (await import('./form.ts')).form,
  headers: async () => (await import('./requests.ts')).headers,
  listing: async () => (await import('./requests.ts')).listing,
  cursor: async () => (await import('./requests.ts')).cursor,
  rendition: async () => (await import('./requests.ts')).rendition,
  patch: async () => (await import('./requests.ts')).patch,
  edit: async () => (await import('./requests.ts')).edit,
  links: async () => (await import('./links.ts')).links,
  page: async () => (await import('./links.ts')).page,
  tags: async () => (await import('./texts.ts')).tags,
  words: async () => (await import('./texts.ts')).words,
  names: async () => (await import('./texts.ts')).names,
  times: async () => (await import('./texts.ts')).times,
};

export const TARGET_NAMES: readonly string[] = Object.keys(TARGETS);

/** @throws {TypeError} */
export async function loadTarget(name: string): Promise<ParserTarget> {
  const target = await TARGETS[name]?.();
  if (target === undefined) throw new TypeError(`There is no reader ${name}, but ${TARGET_NAMES.join(', ')}`);
  return target;
}
