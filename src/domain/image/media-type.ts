export type MediaType = 'image/jpeg' | 'image/png';

export const SIGNATURE_BYTES = 8;

const SIGNATURES: ReadonlyArray<readonly [MediaType, readonly number[]]> = [
  // SOI marker and the first byte of the next marker: ITU-T T.81, B.1.1.3
  ['image/jpeg', [0xff, 0xd8, 0xff]],
  // PNG signature: W3C PNG, 5.2
  ['image/png', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
];

/** Reads the first bytes, never the name. */
export function mediaTypeOf(head: Uint8Array): MediaType | undefined {
  return SIGNATURES.find(([, signature]) => signature.every((byte, index) => head[index] === byte))?.[0];
}
