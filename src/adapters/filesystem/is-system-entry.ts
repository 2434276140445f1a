/**
 * Files and folders that systems, storage devices and archives keep beside pictures, in lower case. Their pictures are thumbnails
 * and deleted files. Those of macOS, Linux and some devices begin with a dot. The gallery has the same list.
 */
export const SYSTEM_NAMES: ReadonlySet<string> = new Set([
  // Windows
  '$recycle.bin',
  'recycler',
  'system volume information',
  'thumbs.db',
  'ehthumbs.db',
  'ehthumbs_vista.db',
  'desktop.ini',
  // Synology
  '@eadir',
  '#recycle',
  '#snapshot',
  '@tmp',
  // QNAP
  '@recycle',
  '@recently-snapshot',
  '@transcode',
  // NetApp
  '~snapshot',
  // Linux and Android
  'lost+found',
  'lost.dir',
  // macOS: archives, and network volumes
  '__macosx',
  'network trash folder',
  'temporary items',
  'icon\r',
]);

/** Tells by the name alone. */
export function isSystemEntry(name: string): boolean {
  return name.startsWith('.') || SYSTEM_NAMES.has(name.toLowerCase());
}
