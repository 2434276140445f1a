import { createInflateRaw, inflateRawSync } from 'node:zlib';

/** Inflated at once; more of it in parts, of which none is kept. */
const SMALL_BYTES = 16 * 1024;

/** RFC 1950, 2.2: the method and the flags. */
const ZLIB_HEADER_BYTES = 2;

export interface Inflated {
  /** Above the limit if there are more. */
  readonly size: number;
  /** The first 16 KiB. */
  readonly head: Uint8Array;
}

/**
 * Inflates a zlib stream and keeps only its beginning. Of a damaged stream, the part in front of the damage counts. Neither
 * header nor checksum are checked, because libpng does not require them to be right.
 *
 * @param limit bytes, above which the inflating stops
 */
export async function measureInflated(stream: Uint8Array, limit: number): Promise<Inflated> {
  const deflated = stream.subarray(ZLIB_HEADER_BYTES);
  try {
    const head = inflateRawSync(deflated, { maxOutputLength: SMALL_BYTES });
    return { size: head.length, head };
  } catch {
    return await inflateInParts(deflated, limit);
  }
}

async function inflateInParts(deflated: Uint8Array, limit: number): Promise<Inflated> {
  const inflate = createInflateRaw({ chunkSize: SMALL_BYTES });
  inflate.end(deflated);
  let size = 0;
  let head: Uint8Array = new Uint8Array();
  try {
    for await (const part of inflate as AsyncIterable<Uint8Array>) {
      if (size === 0) head = part;
      size += part.length;
      if (size > limit) break;
    }
  } catch {
    // Damaged. A decoder keeps none of it, but has inflated as much.
  }
  return { size, head };
}
