import type { InputFormat } from '../../../src/domain/image/media-type.ts';
import { cleaned, rendered, storedFacts, uploadedFacts } from '../../support/fixtures/clean-file.ts';
import { randomNumbers } from '../../support/fixtures/random-numbers.ts';
import { cleanStems } from './clean-stems.ts';
import { leaks } from './leaks.ts';
import { type SecretiveFile, secretiveFile } from './secretive-file.ts';

export interface CleanFuzzReport {
  readonly problems: readonly string[];
  /** Files that an upload accepts: they all have a clean form. */
  readonly clean: number;
}

/** Hides secrets in generated files of a kind, and looks for them in their clean forms. */
export async function runCleanFuzz({
  format,
  files,
  seed,
}: {
  readonly format: InputFormat;
  readonly files: number;
  readonly seed: number;
}): Promise<CleanFuzzReport> {
  const stems = await cleanStems();
  const random = randomNumbers(seed);
  const problems: string[] = [];
  let clean = 0;
  for (let file = 0; file < files; file += 1) {
    const secretive = secretiveFile(format, stems, random);
    const { isClean, problem } = await judge(secretive, format);
    clean += isClean ? 1 : 0;
    if (problem !== undefined) {
      problems.push(`${format} ${file} of seed ${seed}: ${problem}: ${secretive.bytes.toString('base64')}`);
    }
  }
  return { problems, clean };
}

interface Judgement {
  readonly isClean?: boolean;
  readonly problem?: string | undefined;
}

async function judge(
  { bytes, secret, hasItsColours }: SecretiveFile,
  format: InputFormat,
): Promise<Judgement> {
  const facts = await uploadedFacts(bytes);
  if (facts === undefined) return {};
  try {
    const clean = await cleaned(bytes);
    // libjpeg reports some damage or not, depending on how many bytes follow.
    const cleanFacts = await storedFacts(clean);
    if (cleanFacts === undefined) return { problem: 'the clean form is refused' };
    if (leaks(clean, secret)) return { problem: 'a part of the secret is left' };
    const rendition = await rendered(bytes, format === 'gif' ? 'webp' : format);
    if (leaks(rendition, secret)) return { problem: 'a rendition has a part of the secret' };
    if (!(await cleaned(clean)).equals(clean)) return { problem: 'cleaning it again changes it' };
    const isSame = !hasItsColours || cleanFacts.thumbhash === facts.thumbhash;
    const hasItsSize = cleanFacts.width === facts.width && cleanFacts.height === facts.height;
    return {
      isClean: true,
      problem: isSame && hasItsSize ? undefined : 'the clean form shows another picture',
    };
  } catch (error) {
    return { problem: String(error) };
  }
}
