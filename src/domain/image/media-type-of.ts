import { MEDIA_TYPES, type MediaType } from './media-type.ts';

export const SIGNATURE_BYTES = 12;

/** So many first bytes also tell what a file is that has no media type of ours: an SVG has up to so much in front of its first tag. */
export const KIND_BYTES = 1024;

/** They match the first bytes in hexadecimal digits. */
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

/** Reads the first bytes, never the name. */
export function mediaTypeOf(head: Uint8Array): MediaType | undefined {
  const begin = Array.from(head.subarray(0, SIGNATURE_BYTES), (byte) => byte.toString(16).padStart(2, '0'));
  const digits = begin.join('');
  return MEDIA_TYPES.find((mediaType) => SIGNATURES[mediaType].test(digits));
}
