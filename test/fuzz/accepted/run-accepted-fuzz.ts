import { sharp } from '../../../src/decoder/decoder-options.ts';
import { faultOf } from '../../../src/decoder/fault-of.ts';
import { INPUT_FORMATS, type InputFormat } from '../../../src/domain/image/media-type.ts';
import { describeFault, PICTURE_CAUSES } from '../../../src/domain/image/picture-faults.ts';
import { cleaned, uploadOutcome } from '../../support/fixtures/clean-file.ts';
import { randomNumbers } from '../../support/fixtures/random-numbers.ts';
import { mutatedFile } from '../mutated-files.ts';
import type { Random } from '../random-choices.ts';
import { damagedFile, intactPictures } from './damaged-file.ts';

export interface AcceptedFuzzReport {
  readonly problems: readonly string[];
  readonly accepted: number;
  /** Refusals by cause, and `limits`. */
  readonly causes: Readonly<Record<string, number>>;
}

export interface AcceptedFuzzOptions {
  readonly format: InputFormat;
  readonly files: number;
  readonly seed: number;
}

/** Part of the files that are generated with unusual parts. The others are intact pictures that were damaged. */
const UNUSUAL = 0.1;

/** Judges damaged files of a kind: an accepted one has a clean form with the same pixels, and a refusal has a known cause. */
export async function runAcceptedFuzz({
  format,
  files,
  seed,
}: AcceptedFuzzOptions): Promise<AcceptedFuzzReport> {
  const random = randomNumbers(seed + INPUT_FORMATS.indexOf(format));
  const pictures = await intactPictures(format);
  const problems: string[] = [];
  const causes: Record<string, number> = {};
  let accepted = 0;
  for (let file = 0; file < files; file += 1) {
    const bytes = anyFile(format, pictures, random);
    const { cause, problem } = await judge(bytes);
    if (cause === undefined) accepted += 1;
    else causes[cause] = (causes[cause] ?? 0) + 1;
    if (problem === undefined) continue;
    problems.push(
      `${format} ${file} of seed ${seed}: ${problem}: ${bytes.toString('base64').slice(0, 20_000)}`,
    );
  }
  return { problems, accepted, causes };
}

function anyFile(format: InputFormat, pictures: readonly Buffer[], random: Random): Buffer {
  return random() < UNUSUAL ? mutatedFile(format, random).bytes : damagedFile(format, pictures, random);
}

/**
 * Of pixels. libwebp reads the byte that makes the length of a chunk even if the data of its picture end early: a clean form has 0
 * there, and the last pixels may change.
 */
const MAX_CHANGED_BYTES = 16;

interface Judgement {
  /** Of a refusal. */
  readonly cause?: string;
  readonly problem?: string | undefined;
}

async function judge(bytes: Buffer): Promise<Judgement> {
  try {
    await uploadOutcome(bytes);
  } catch (error) {
    if (error instanceof RangeError) return { cause: 'limits' };
    const fault = faultOf(error);
    const isKnown = PICTURE_CAUSES.includes(fault.cause) && describeFault(fault).length > 0;
    return {
      cause: fault.cause,
      problem: isKnown ? undefined : `it is refused without a cause: ${String(error)}`,
    };
  }
  try {
    const clean = await cleaned(bytes);
    if (!(await cleaned(clean)).equals(clean)) return { problem: 'cleaning its clean form changes it' };
    const changed = changedBytes(await pixelsOf(bytes), await pixelsOf(clean));
    return {
      problem: changed <= MAX_CHANGED_BYTES ? undefined : `the clean form has ${changed} other pixels`,
    };
  } catch (error) {
    return { problem: `it is accepted, and its clean form fails: ${String(error)}` };
  }
}

function changedBytes(before: Buffer, after: Buffer): number {
  if (before.length !== after.length) return Math.max(before.length, after.length);
  if (before.equals(after)) return 0;
  return before.reduce((count, byte, at) => count + (byte === after[at] ? 0 : 1), 0);
}

/** Of the first frame, as they are stored: a profile in a form that a clean file does not have is not applied. */
async function pixelsOf(file: Buffer): Promise<Buffer> {
  return await sharp(file, { failOn: 'error', limitInputPixels: false, ignoreIcc: true })
    .ensureAlpha()
    .raw()
    .toBuffer();
}
