import { expect } from 'chai';
import { describeFiles } from '../../src/application/maintenance/import/describe-files.ts';
import {
  type FileOutcome,
  ImportFolder,
  type ImportPlan,
  type ImportReport,
} from '../../src/application/maintenance/import/import-folder.ts';
import { MEDIA_TYPES } from '../../src/domain/image/media-type.ts';
import { ImportError } from '../../src/domain/ports/commands/import-target.ts';
import { InMemoryCatalog, InMemoryFolder, InMemoryJournal } from '../support/doubles/in-memory-import.ts';
import { rejection } from '../support/fixtures/rejection.ts';
import { tinyPng } from '../support/fixtures/tiny-pictures.ts';
import { FIRST_BYTES } from '../support/kinds/first-bytes.ts';

let folder: InMemoryFolder;
let catalog: InMemoryCatalog;
let journal: InMemoryJournal;
let outcomes: FileOutcome[];

function useCatalog(): void {
  beforeEach(() => {
    folder = new InMemoryFolder();
    catalog = new InMemoryCatalog();
    journal = new InMemoryJournal();
    outcomes = [];
  });
}

async function run(
  plan: Partial<ImportPlan> = {},
  stopped: AbortSignal = new AbortController().signal,
): Promise<Readonly<ImportReport>> {
  outcomes = [];
  const describe = describeFiles(new Map(), []);
  const onOutcome = (outcome: FileOutcome): void => void outcomes.push(outcome);
  const usual = { dryRun: false, jobs: 4, accepted: MEDIA_TYPES, describe, stopped, onOutcome };
  return await new ImportFolder(folder, catalog, journal, { ...usual, ...plan }).execute();
}

function fill(count: number): void {
  for (let number = 0; number < count; number += 1) folder.files.set(`${number}.png`, tinyPng(number));
}

function countBy(texts: readonly string[]): Readonly<Record<string, number>> {
  return Object.fromEntries(texts.map((text) => [text, texts.filter((other) => other === text).length]));
}

describe('ImportFolder', () => {
  useCatalog();

  it('gives every file exactly one outcome, and the counts add up', async () => {
    fill(250);
    folder.files.set('twin.png', tinyPng(0));
    folder.files.set('notes.txt', Buffer.from('no picture'));
    folder.others.push({ kind: 'skipped', path: '.DS_Store' });
    folder.others.push({ kind: 'unreadable', path: 'locked', code: 'EACCES' });

    const report = await run();

    expect(report).to.deep.include({
      found: 253,
      created: 250,
      present: 1,
      refused: 1,
      failed: 1,
      skipped: 1,
    });
    expect(new Set(outcomes.map(({ path }) => path)).size).to.equal(253);
    expect(outcomes).to.have.lengthOf(253);
    expect(catalog.images.size).to.equal(250);
  });

  it('uploads a twin whose first upload has failed', async () => {
    folder.files.set('a.png', tinyPng(1));
    folder.files.set('b.png', tinyPng(1));
    let calls = 0;
    catalog.beforeUpload = () => {
      calls += 1;
      if (calls === 1) throw new ImportError('planted', { code: 'internal_error', isRefusal: false });
    };

    expect(await run()).to.include({ created: 1, failed: 1, present: 0 });
  });

  it('changes nothing in a dry run', async () => {
    fill(3);
    folder.files.set('twin.png', tinyPng(0));

    expect(await run({ dryRun: true })).to.include({ created: 3, present: 1 });
    expect([catalog.uploads.length, journal.entries.size]).to.deep.equal([0, 0]);
  });

  it('sends the names and the metadata that it is given', async () => {
    fill(2);
    const exported = new Map([
      ['0.png', { file: '0.png', originalName: 'Zoë:1.png', metadata: { tags: ['a'] } }],
    ]);

    await run({ describe: describeFiles(exported, ['b']) });

    const sent = Object.fromEntries(catalog.uploads.map(({ name, metadata }) => [name, metadata]));
    expect(sent).to.deep.equal({ 'Zoë:1.png': { tags: ['a', 'b'] }, '1.png': { tags: ['b'] } });
  });

  it('stops when it is asked to, with the outcomes so far', async () => {
    fill(300);
    const abort = new AbortController();
    catalog.afterUpload = () => abort.abort(new RangeError('enough'));

    expect(await rejection(run({ jobs: 1 }, abort.signal))).to.equal(abort.signal.reason);
    expect(outcomes.length).to.be.lessThan(300);
  });
});

describe('ImportFolder in a second run', () => {
  useCatalog();

  const GIF = Buffer.from('GIF89a of a type that is not accepted yet');

  it('sends a file whose type it did not accept in the first run', async () => {
    folder.files.set('cat.gif', GIF);
    folder.files.set('notes.txt', Buffer.from('no picture'));
    const accepted = ['image/jpeg', 'image/png'] as const;

    expect(await run({ accepted })).to.include({ refused: 2 });
    expect(outcomes.find(({ path }) => path === 'cat.gif')).to.include({
      code: 'unsupported_media_type',
      message: 'The file is GIF, not a JPEG or PNG image',
    });
    expect(catalog.uploads).to.have.lengthOf(0);
    expect(await run()).to.include({ created: 1, refused: 1 });
  });

  it('sends a file again that the catalog refused for its type', async () => {
    folder.files.set('cat.gif', GIF);
    catalog.beforeUpload = () => {
      throw new ImportError('planted', { code: 'unsupported_media_type', isRefusal: true });
    };
    expect(await run()).to.deep.include({ refused: 1, refusedKinds: { gif: 1 } });
    catalog.beforeUpload = () => {};

    expect(await run()).to.include({ created: 1, refused: 0 });
  });

  it('names and counts refused files by what they are', async () => {
    for (const [number, { bytes }] of FIRST_BYTES.entries()) folder.files.set(String(number), bytes);
    folder.files.set('empty', new Uint8Array());
    const accepted = ['image/jpeg'] as const;
    const refused = FIRST_BYTES.filter(({ kind }) => kind !== 'jpeg');
    const counts = countBy(refused.map(({ kind }) => kind));

    expect(await run({ accepted })).to.deep.include({ refused: refused.length + 1, refusedKinds: counts });
    expect(outcomes.filter(({ path }) => path === '0')).to.deep.equal([
      {
        path: '0',
        outcome: 'refused',
        code: 'unsupported_media_type',
        message: 'The file is HEIC, not a JPEG image',
        kind: 'heic',
      },
    ]);
    expect(await run({ accepted })).to.deep.include({ refusedKinds: counts });
  });

  it('neither reads nor looks up a file that the journal knows', async () => {
    fill(3);
    await run();
    const [{ digested }, { lookUps }] = [folder, catalog];

    expect(await run()).to.include({ found: 3, created: 0, present: 3 });
    expect([folder.digested, catalog.lookUps]).to.deep.equal([digested, lookUps]);
  });

  it('makes one image if the process died before it got the response', async () => {
    fill(1);
    catalog.afterUpload = () => {
      throw new RangeError('killed');
    };
    await rejection(run());
    catalog.afterUpload = () => undefined;

    expect(await run()).to.include({ created: 0, present: 1 });
    expect(catalog.images.size).to.equal(1);
  });

  it('takes another key if the image of the first one was deleted', async () => {
    fill(1);
    catalog.beforeUpload = ({ idempotencyKey }) => {
      if (!idempotencyKey.endsWith('-3')) {
        throw new ImportError('gone', { code: 'image_not_found', isRefusal: true });
      }
    };

    expect(await run()).to.include({ created: 1 });
    expect(catalog.uploads).to.have.lengthOf(3);
    expect(catalog.uploads[0]?.idempotencyKey).to.match(/^import-[0-9a-f]{64}$/);
  });

  it('remembers a refusal, but not a failure', async () => {
    fill(2);
    catalog.beforeUpload = ({ name }) => {
      const isRefusal = name === '0.png';
      throw new ImportError('planted', { code: 'invalid_image', isRefusal });
    };
    await run();
    catalog.beforeUpload = () => undefined;

    expect(await run()).to.include({ created: 1, refused: 1 });
    expect(outcomes.find(({ path }) => path === '0.png')).to.include({
      outcome: 'refused',
      code: 'invalid_image',
    });
  });
});

describe('ImportFolder at a refusal that is not of the file', () => {
  useCatalog();

  for (const code of ['quota_exceeded', 'invalid_request', 'idempotency_key_reused']) {
    it(`counts it as ${code}, and sends the file in the next run`, async () => {
      fill(2);
      catalog.beforeUpload = () => {
        throw new ImportError('planted', { code, isRefusal: true });
      };

      expect(await run()).to.deep.include({ refused: 2, refusedForNow: { [code]: 2 } });
      expect(journal.entries.size).to.equal(0);
      catalog.beforeUpload = () => undefined;
      expect(await run()).to.deep.include({ created: 2, refused: 0, refusedForNow: {} });
    });
  }
});
