import { exifSignatureBytes } from '../embedded/read-exif.ts';
import type { FileRange } from './file-range.ts';

/** libvips takes the first segment that begins so for EXIF, whatever follows, and then does not read the others. */
const LIBVIPS_SIGNATURE = 'Exif';

/** The segments APP1 of a JPEG that are EXIF, or that libvips takes for EXIF. */
export class ExifSegments {
  readonly ranges: FileRange[] = [];
  /** Where the segments begin that only libvips takes for EXIF, in bytes of the file. */
  readonly ignoredAt: number[] = [];

  /** @param start of the content of the segment in the file, in bytes */
  add(segment: Buffer, start: number): void {
    if (exifSignatureBytes(segment) > 0) this.ranges.push({ start, end: start + segment.length });
    else if (segment.toString('latin1', 0, LIBVIPS_SIGNATURE.length) === LIBVIPS_SIGNATURE) {
      this.ignoredAt.push(start);
    }
  }
}
