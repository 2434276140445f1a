/** ICC.1:2022, 7.2: the header and the number of tags. */
const LEAST_BYTES = 132;
const SIGNATURE = { at: 36, text: 'acsp' };

/** Whether the bytes are a colour profile, and all of it. */
export function isColourProfile(bytes: Uint8Array): boolean {
  const profile = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (profile.length < LEAST_BYTES || profile.readUInt32BE(0) !== profile.length) return false;
  return profile.toString('latin1', SIGNATURE.at, SIGNATURE.at + SIGNATURE.text.length) === SIGNATURE.text;
}
