import type { Transform } from 'node:stream';
import { constants, createBrotliCompress, createGzip } from 'node:zlib';

/** Digests do not compress, so higher qualities take 4 to 12 times as long and make pages of records 5 % smaller. */
export const BROTLI = {
  [constants.BROTLI_PARAM_QUALITY]: 1,
  [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
};

export const GZIP = { level: 1 };

/** Bounds the memory of an encoder, in powers of two. */
const STREAM_WINDOW = 18;

/** @param sent `each`: each chunk at once, for clients that process a listing as it arrives */
export function compressor(coding: 'br' | 'gzip', sent: 'each' | 'whole'): Transform {
  const { Z_SYNC_FLUSH, Z_NO_FLUSH, BROTLI_OPERATION_FLUSH, BROTLI_OPERATION_PROCESS } = constants;
  if (coding === 'gzip') return createGzip({ ...GZIP, flush: sent === 'each' ? Z_SYNC_FLUSH : Z_NO_FLUSH });
  const params = { ...BROTLI, [constants.BROTLI_PARAM_LGWIN]: STREAM_WINDOW };
  const flush = sent === 'each' ? BROTLI_OPERATION_FLUSH : BROTLI_OPERATION_PROCESS;
  return createBrotliCompress({ flush, params });
}
