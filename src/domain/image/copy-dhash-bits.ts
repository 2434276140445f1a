/** Bits of 64 in which the dHashes of images differ that are compared as copies at all. */
export const COPY_DHASH_BITS = 10;
