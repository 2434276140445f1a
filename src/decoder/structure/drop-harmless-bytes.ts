import { jpegStructure } from './jpeg-structure.ts';

// Marker codes and lengths: ITU-T T.81, table B.1; JFIF 1.02; Adobe TN 5116.
const [SOI_BYTES, MARKER_BYTES, HEAD_BYTES] = [2, 2, 4];
const [APP0, APP14, SOS] = [0xe0, 0xee, 0xda];
const JFIF_VERSION = 5;
const ADOBE_TRANSFORM = 11;
const MAX_TRANSFORM = 2;
/** SOF0 and SOF1. */
const SEQUENTIAL: readonly (number | undefined)[] = [0xc0, 0xc1];

/**
 * Changes a JPEG so that libjpeg does not report what is harmless and known from the structure: bytes between the parts, an unknown
 * version of JFIF, an unknown transform of Adobe, and selections of coefficients that a sequential scan does not have. The data of
 * scans stays as it is.
 *
 * @returns the file, which is shorter now
 */
export function dropHarmlessBytes(file: Buffer): Buffer {
  const parts: (readonly [type: string | number, start: number, end: number])[] = [];
  jpegStructure(
    file,
    () => undefined,
    (...part) => parts.push(part),
  );
  let end = SOI_BYTES;
  let frame: number | undefined;
  for (const [type, start, stop] of parts) {
    const marker = file[start - HEAD_BYTES + 1];
    if (type === 'frame') frame ??= marker;
    if (type === SOS && SEQUENTIAL.includes(frame)) selectAll(file, start);
    if (type === APP0 && isJfif(file, start, stop)) file[start + JFIF_VERSION] = 1;
    if (type === APP14 && stop - start > ADOBE_TRANSFORM) makeTransformKnown(file, start);
    file.copyWithin(end, start - HEAD_BYTES, stop);
    end += stop - start + HEAD_BYTES;
  }
  file.set([0xff, 0xd9], end);
  return file.subarray(0, end + MARKER_BYTES);
}

function isJfif(file: Buffer, start: number, stop: number): boolean {
  return stop - start > JFIF_VERSION && file.toString('latin1', start, start + 4) === 'JFIF';
}

function makeTransformKnown(file: Buffer, start: number): void {
  const at = start + ADOBE_TRANSFORM;
  if ((file[at] ?? 0) > MAX_TRANSFORM) file[at] = 0;
}

/** Writes that the scan has all coefficients at full precision, as each sequential scan must (T.81, B.2.3). */
function selectAll(file: Buffer, start: number): void {
  const components = file[start] ?? 0;
  file.set([0, 63, 0], start + 1 + 2 * components);
}
