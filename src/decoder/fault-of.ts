import type { PictureFault } from '../domain/image/picture-faults.ts';
import { MalformedFile } from './structure/malformed-file.ts';

/** Errors without a fault are those of libvips, which fails for the pixels of a file. */
export function faultOf(error: unknown): PictureFault {
  return error instanceof MalformedFile ? error.fault : { cause: 'undecodable' };
}
