/** Files that the service can take, if the operator wants them. */
export const INPUT_FORMATS = ['jpeg', 'png', 'webp', 'gif'] as const;

export type InputFormat = (typeof INPUT_FORMATS)[number];

export type MediaType = `image/${InputFormat}`;

/** Of records and filters, whatever uploads may be now. */
export const MEDIA_TYPES: readonly MediaType[] = INPUT_FORMATS.map((format) => `image/${format}` as const);

export function formatOf(mediaType: MediaType): InputFormat {
  return mediaType.slice('image/'.length) as InputFormat;
}

/** For people. */
const FORMAT_NAMES: Readonly<Record<MediaType, string>> = {
  'image/jpeg': 'JPEG',
  'image/png': 'PNG',
  'image/webp': 'WebP',
  'image/gif': 'GIF',
};

/** As in "JPEG, PNG or GIF". */
export function formatNames(types: readonly MediaType[]): string {
  const names = types.map((type) => FORMAT_NAMES[type]);
  return [names.slice(0, -1).join(', '), ...names.slice(-1)].filter((part) => part !== '').join(' or ');
}
