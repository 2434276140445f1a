import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MediaType } from '../../src/domain/image/media-type.ts';

/** A file of the corpus that an upload accepts. */
export interface CorpusImage {
  readonly file: string;
  readonly path: string;
  readonly mediaType: MediaType;
  /** In pixels, as displayed. */
  readonly width: number;
  readonly height: number;
  readonly sha256: string;
  readonly size: number;
}

/** A file of the corpus with the expected response to its upload, such as `422 invalid_image`. */
export interface CorpusFile extends Partial<CorpusImage> {
  readonly file: string;
  readonly path: string;
  readonly expect: string;
}

const FOLDER = process.env.CORPUS_DIR;

/** Empty if `CORPUS_DIR` is not set: the tests are then skipped with a message. */
export const CORPUS: readonly CorpusFile[] = FOLDER === undefined ? [] : readManifest(FOLDER);

export const ACCEPTED = CORPUS.filter((file): file is CorpusFile & CorpusImage => file.expect === '201');

/** The path of a file of the corpus. Skips the test with a message if there is no corpus. */
export function corpusImage(test: Mocha.Context, name: string): CorpusImage {
  if (FOLDER === undefined) skipAloud(test);
  const image = ACCEPTED.find(({ file }) => file === name);
  if (image === undefined) throw new Error(`The corpus has no image ${name}`);
  return image;
}

/** A placeholder, reported as skipped, for all tests over the files of the corpus. */
export function corpusIsSet(): void {
  it('finds its files through CORPUS_DIR', function () {
    if (FOLDER === undefined) skipAloud(this);
    if (CORPUS.length === 0) throw new Error('The manifest of the corpus is empty');
  });
}

let isSaid = false;

function skipAloud(test: Mocha.Context): never {
  if (!isSaid) console.warn('CORPUS_DIR is not set: tests that need the corpus are skipped');
  isSaid = true;
  return test.skip();
}

function readManifest(folder: string): readonly CorpusFile[] {
  const text = readFileSync(join(folder, 'manifest.json'), 'utf8');
  const entries = JSON.parse(text) as ReadonlyArray<Omit<CorpusFile, 'path'>>;
  return entries.map((entry) => ({ ...entry, path: join(folder, entry.file) }));
}
