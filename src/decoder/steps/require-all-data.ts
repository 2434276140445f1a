import { dropHarmlessBytes } from '../structure/drop-harmless-bytes.ts';
import { MalformedFile } from '../structure/malformed-file.ts';
import { decodeSmall } from './decode-small.ts';
import { findFlaw } from './find-flaw.ts';
import { LibjpegReports, type LibjpegVerdict } from './libjpeg-reports.ts';
import type { Of } from './picture.ts';

type Decoded = Of<'file' | 'structure' | 'turnsWhileDecoding'> & { readonly reports: LibjpegReports };

/** Requires that libjpeg has found all image data. May change the file. */
export async function requireAllData(picture: Decoded & Of<'isStored' | 'flaw'>): Promise<Of<'flaw'>> {
  const flaw = await findFlaw(picture, async () => {
    if ((await verdictOn(picture)) !== 'intact') throw new MalformedFile('data_lost');
  });
  return { flaw: picture.flaw ?? flaw };
}

/**
 * If libjpeg has reported several things, of which only the first and harmless one is known, the file is decoded once more without
 * everything that is known to be harmless.
 */
async function verdictOn({ file, reports, ...picture }: Decoded): Promise<LibjpegVerdict> {
  if (reports.verdict !== 'unclear') return reports.verdict;
  const again = new LibjpegReports();
  await decodeSmall({ ...picture, source: { input: dropHarmlessBytes(file) }, reports: again });
  return again.verdict;
}
