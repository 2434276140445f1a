import { UnsupportedMediaType } from '../errors.ts';

/** Files that the service can take, if the operator wants them. */
export const INPUT_FORMATS = ['jpeg', 'png', 'webp', 'gif'] as const;

export type InputFormat = (typeof INPUT_FORMATS)[number];

export type MediaType = `image/${InputFormat}`;

/** Of records and filters, whatever uploads may be now. */
export const MEDIA_TYPES = [
  'image/jpeg',
  'image/png',
  'image/webp',
  'image/gif',
] as const satisfies readonly MediaType[];

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

export const SIGNATURE_BYTES = 12;

/** Marks, each with where it is, in bytes. */
type Signature = ReadonlyArray<readonly [at: number, mark: string]>;

const SIGNATURES: ReadonlyArray<readonly [MediaType, Signature]> = [
  // SOI marker and the first byte of the next marker: ITU-T T.81, B.1.1.3
  ['image/jpeg', [[0, '\xff\xd8\xff']]],
  // W3C PNG, 5.2
  ['image/png', [[0, '\x89PNG\r\n\x1a\n']]],
  // RFC 9649, 2.4
  [
    'image/webp',
    [
      [0, 'RIFF'],
      [8, 'WEBP'],
    ],
  ],
  // GIF89a, 17; 87a has no extensions
  ['image/gif', [[0, 'GIF87a']]],
  ['image/gif', [[0, 'GIF89a']]],
];

/**
 * Reads the first bytes, never the name.
 *
 * @throws {UnsupportedMediaType} if the file is none of the accepted types
 */
export function acceptedTypeOf(head: Uint8Array, accepted: readonly MediaType[]): MediaType {
  const mediaType = mediaTypeOf(head);
  if (mediaType !== undefined && accepted.includes(mediaType)) return mediaType;
  throw new UnsupportedMediaType(formatNames(accepted));
}

/** Reads the first bytes, never the name. */
export function mediaTypeOf(head: Uint8Array): MediaType | undefined {
  const text = String.fromCharCode(...head.subarray(0, SIGNATURE_BYTES));
  return SIGNATURES.find(([, marks]) => marks.every(([at, mark]) => text.startsWith(mark, at)))?.[0];
}
