import { LibjpegReports } from './libjpeg-reports.ts';
import type { PixelSource } from './render.ts';
import { dropHarmlessBytes } from './structure/drop-harmless-bytes.ts';
import type { OpenedFile } from './structure/file-structure.ts';
import { MalformedFile } from './structure/malformed-file.ts';

/**
 * Requires that libjpeg has found all image data. If it has reported several things, of which only the first and harmless one is
 * known, the file is decoded once more without everything that is known to be harmless.
 *
 * @param opened whose file may be changed
 * @param reports of the first decode
 * @param decode decodes all pixels
 * @throws {MalformedFile}
 */
export async function requireAllData(
  opened: OpenedFile,
  reports: LibjpegReports,
  decode: (source: PixelSource) => Promise<unknown>,
): Promise<void> {
  const { file, structure } = opened;
  const maxPixels = structure.width * structure.height;
  let { verdict } = reports;
  if (verdict === 'unclear') {
    const again = new LibjpegReports();
    const input = dropHarmlessBytes(file);
    await decode({ input, maxPixels, onWarning: again.add });
    verdict = again.verdict;
  }
  if (verdict !== 'intact') throw new MalformedFile('data_lost');
}
