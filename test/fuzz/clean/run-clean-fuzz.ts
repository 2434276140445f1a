import { MalformedFile } from '../../../src/decoder/structure/malformed-file.ts';
import type { InputFormat } from '../../../src/domain/image/media-type.ts';
import { cleaned, uploadedFacts } from '../../support/fixtures/clean-file.ts';
import { randomNumbers } from '../../support/fixtures/random-numbers.ts';
import { cleanStems } from './clean-stems.ts';
import { leaks } from './leaks.ts';
import { type SecretiveFile, secretiveFile } from './secretive-file.ts';

export interface CleanFuzzReport {
  readonly problems: readonly string[];
  /** Files that an upload accepts and that have a clean form. */
  readonly clean: number;
  /** Accepted by an upload, without a clean form: their structure is wrong where no decoder looks. */
  readonly refused: number;
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
  let [clean, refused] = [0, 0];
  for (let file = 0; file < files; file += 1) {
    const secretive = secretiveFile(format, stems, random);
    const { isClean, isRefused, problem } = await judge(secretive);
    clean += isClean ? 1 : 0;
    refused += isRefused ? 1 : 0;
    if (problem !== undefined) {
      problems.push(`${format} ${file} of seed ${seed}: ${problem}: ${secretive.bytes.toString('base64')}`);
    }
  }
  return { problems, clean, refused };
}

interface Judgement {
  readonly isClean?: boolean;
  readonly isRefused?: boolean;
  readonly problem?: string | undefined;
}

async function judge({ bytes, secret, hasItsColours }: SecretiveFile): Promise<Judgement> {
  const facts = await uploadedFacts(bytes);
  if (facts === undefined) return {};
  try {
    const clean = await cleaned(bytes);
    const cleanFacts = await uploadedFacts(clean);
    if (cleanFacts === undefined) return { problem: 'the clean form is refused' };
    if (leaks(clean, secret)) return { problem: 'a part of the secret is left' };
    if (!(await cleaned(clean)).equals(clean)) return { problem: 'cleaning it again changes it' };
    const isSame = !hasItsColours || cleanFacts.thumbhash === facts.thumbhash;
    const hasItsSize = cleanFacts.width === facts.width && cleanFacts.height === facts.height;
    return {
      isClean: true,
      problem: isSame && hasItsSize ? undefined : 'the clean form shows another picture',
    };
  } catch (error) {
    const isDeclared = error instanceof MalformedFile || error instanceof RangeError;
    return isDeclared ? { isRefused: true } : { problem: String(error) };
  }
}
