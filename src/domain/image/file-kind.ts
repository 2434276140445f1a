/** For people: what a file can be by its first bytes. */
export const FILE_KIND_NAMES = {
  heic: 'HEIC',
  avif: 'AVIF',
  jpeg: 'JPEG',
  png: 'PNG',
  webp: 'WebP',
  gif: 'GIF',
  tiff: 'TIFF',
  bmp: 'BMP',
  jxl: 'JPEG XL',
  svg: 'SVG',
  pdf: 'PDF',
  raw: 'camera raw',
} as const;

/** `other`: the first bytes tell none of these. */
export type FileKind = keyof typeof FILE_KIND_NAMES | 'other';
