import { UnsupportedMediaType } from '../errors.ts';

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

export const SIGNATURE_BYTES = 12;

/** Of the first bytes in hexadecimal digits. */
const SIGNATURES: Readonly<Record<MediaType, RegExp>> = {
  // SOI marker and the first byte of the next marker: ITU-T T.81, B.1.1.3
  'image/jpeg': /^ffd8ff/,
  // W3C PNG, 5.2
  'image/png': /^89504e470d0a1a0a/,
  // RFC 9649, 2.4: `RIFF`, a size, `WEBP`
  'image/webp': /^52494646.{8}57454250/,
  // GIF89a, 17, and GIF87a, which has no extensions
  'image/gif': /^474946383[79]61/,
};

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
  const begin = Array.from(head.subarray(0, SIGNATURE_BYTES), (byte) => byte.toString(16).padStart(2, '0'));
  const digits = begin.join('');
  return MEDIA_TYPES.find((mediaType) => SIGNATURES[mediaType].test(digits));
}
