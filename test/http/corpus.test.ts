import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect } from 'chai';
import { filePart } from '../support/fixtures/multipart.ts';
import type { ImageRecord } from '../support/http/catalog-client.ts';
import { startFor } from '../support/http/start-for.ts';
import { TestService } from '../support/http/test-service.ts';
import { skipAloud } from '../support/skipped/skip-aloud.ts';

/** A file of the corpus and the expected response to its upload. */
interface CorpusFile {
  readonly file: string;
  /** The status; for an error, the status and the code. */
  readonly expect: string;
  readonly mediaType?: string;
  readonly width?: number;
  readonly height?: number;
  readonly size: number;
  readonly sha256: string;
}

const folder = process.env.CORPUS_DIR ?? '';

describe('The image corpus', () => {
  if (folder === '') {
    it('is uploaded file by file', function () {
      skipAloud(this, 'CORPUS_DIR is not set');
    });
    return;
  }

  const service = startFor('all', () => TestService.start({ maxFileBytes: 50 * 1024 * 1024 }));
  let files: readonly CorpusFile[];

  before(async () => {
    files = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as CorpusFile[];
  });

  it('has files of every kind', () => {
    const outcomes = new Set(files.map((file) => file.expect.slice(0, 3)));
    expect([...outcomes]).to.include.members(['201', '415', '422']);
  });

  it('returns what the manifest says for each file', async () => {
    const outcomes: unknown[] = [];
    for (const file of files) outcomes.push([file.file, await outcomeOf(file)]);
    expect(outcomes).to.deep.equal(files.map((file) => [file.file, expected(file)]));
  });

  it('keeps nothing of rejected files', async () => {
    expect(await service.leftovers()).to.deep.equal([]);
    expect(await service.records()).to.equal(files.filter((file) => file.expect === '201').length);
  });

  async function outcomeOf({ file }: CorpusFile): Promise<unknown> {
    const bytes = await readFile(join(folder, file));
    const response = await service.post([filePart(bytes, basename(file))]);
    if (response.status !== 201) return `${response.status} ${(response.body as { code: string }).code}`;
    const { mediaType, width, height, size, sha256 } = response.body as ImageRecord;
    return { mediaType, width, height, size, sha256 };
  }
});

function expected({ expect: outcome, mediaType, width, height, size, sha256 }: CorpusFile): unknown {
  return outcome === '201' ? { mediaType, width, height, size, sha256 } : outcome;
}
