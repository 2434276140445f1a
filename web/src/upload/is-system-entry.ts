/**
 * Files and folders that systems, storage devices and archives keep beside pictures, in lower case. Their pictures are thumbnails
 * and deleted files. The command `import` has the same list.
 */
export const SYSTEM_NAMES: ReadonlySet<string> = new Set([
  '$recycle.bin',
  'recycler',
  'system volume information',
  'thumbs.db',
  'ehthumbs.db',
  'ehthumbs_vista.db',
  'desktop.ini',
  '@eadir',
  '#recycle',
  '#snapshot',
  '@tmp',
  '@recycle',
  '@recently-snapshot',
  '@transcode',
  '~snapshot',
  'lost+found',
  'lost.dir',
  '__macosx',
  'network trash folder',
  'temporary items',
  'icon\r',
]);

export function isSystemEntry(name: string): boolean {
  return name.startsWith('.') || SYSTEM_NAMES.has(name.toLowerCase());
}

/**
 * Whether a file, or a folder around it, is one of a system. The first folder of a path is the one that the person has chosen,
 * whatever its name.
 *
 * @param path as in `webkitRelativePath`; empty for a file that was not chosen with its folder
 */
export function isInSystemFolder({ name, webkitRelativePath: path }: File): boolean {
  return isSystemEntry(name) || path.split('/').slice(1, -1).some(isSystemEntry);
}
