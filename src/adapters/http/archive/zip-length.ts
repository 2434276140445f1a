import type { ReadStreamOptions } from 'yazl';

export interface ZipEntry {
  readonly name: string;
  readonly options: Omit<ReadStreamOptions, 'compress' | 'compressionLevel' | 'fileComment' | 'mode'> & {
    readonly compress: false;
  };
}

/** Sizes and offsets from here on need the fields of ZIP64. */
const ZIP64_FROM = 0xffff_ffff;

/** Bytes of a header, without the name, and of what follows the content. */
const [HEADER, DESCRIPTOR, ZIP64_DESCRIPTOR] = [30, 16, 24];
/** Bytes of an entry in the directory, without the name, and of its extra fields. */
const [LISTED, INSTANT_FIELD, ZIP64_FIELD] = [46, 9, 28];
/** Bytes behind the directory. */
const [END, ZIP64_END] = [22, 22 + 56 + 20];

/**
 * Bytes of the file that yazl writes. Its own total is too large by the end of ZIP64 if the directory has 65,535 bytes or more: that
 * end is written from 4 GiB on.
 *
 * @param entries fewer than 65,535; one that has the fields of ZIP64 by force makes the end have them, too
 */
export function zipLength(entries: readonly ZipEntry[]): number {
  let [files, directory, isForced] = [0, 0, false];
  for (const { name, options } of entries) {
    const isZip64 = options.forceZip64Format || options.size >= ZIP64_FROM || files >= ZIP64_FROM;
    const nameBytes = Buffer.byteLength(name);
    files += HEADER + nameBytes + options.size + (isZip64 ? ZIP64_DESCRIPTOR : DESCRIPTOR);
    directory +=
      LISTED + nameBytes + (options.forceDosTimestamp ? 0 : INSTANT_FIELD) + (isZip64 ? ZIP64_FIELD : 0);
    isForced ||= options.forceZip64Format;
  }
  return files + directory + (isForced || files >= ZIP64_FROM ? ZIP64_END : END);
}
