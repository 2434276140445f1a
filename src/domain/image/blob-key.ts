/** A lower-case UUID, which may become part of a path. Has the type of Node.js' `UUID`. */
export type BlobKey = `${string}-${string}-${string}-${string}-${string}`;

export const BLOB_KEY_LENGTH = 36;

const BLOB_KEY = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function isBlobKey(text: string): text is BlobKey {
  return BLOB_KEY.test(text);
}

/** @throws {TypeError} */
export function parseBlobKey(text: string): BlobKey {
  if (!isBlobKey(text)) throw new TypeError('A blob key is a lower-case UUID');
  return text;
}
