import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CORPUS, type CorpusFile } from '../fixtures/corpus.ts';
import type { ExpectedUpload, PictureCase } from './picture-case.ts';

const FOLDER = fileURLToPath(new URL('../../corpus', import.meta.url));

/** WebP and GIF files of other projects: those of this repository, and those of `CORPUS_DIR`. */
export const FOREIGN_FILES: readonly PictureCase[] = [...ownManifest(), ...CORPUS].flatMap((file) =>
  file.mediaType === 'image/webp' || file.mediaType === 'image/gif' ? [caseOf(file, file.mediaType)] : [],
);

function ownManifest(): readonly CorpusFile[] {
  const text = readFileSync(join(FOLDER, 'manifest.json'), 'utf8');
  const entries = JSON.parse(text) as ReadonlyArray<Omit<CorpusFile, 'path'>>;
  return entries.map((entry) => ({ ...entry, path: join(FOLDER, entry.file) }));
}

function caseOf(file: CorpusFile, mediaType: PictureCase['mediaType']): PictureCase {
  return { name: file.file, mediaType, expected: expectedOf(file), read: () => readFileSync(file.path) };
}

function expectedOf({ file, expect, width, height, frames = 1 }: CorpusFile): ExpectedUpload {
  const status = Number(expect.split(' ')[0]);
  if (status === 422 || status === 415 || status === 413) return { status };
  if (status !== 201 || width === undefined || height === undefined) throw new Error(`${file}: ${expect}`);
  return { status, width, height, frames };
}
