import { expect } from 'chai';
import {
  type DroppedEntry,
  type DroppedItem,
  filesOf,
  type SkippedFolder,
} from '../../../web/src/upload/dropped-files.ts';
import { droppedOf } from '../../../web/src/upload/dropped-of.ts';
import { collectAll } from '../../support/fixtures/collect-all.ts';

describe('dropped files', () => {
  it('are those that were chosen directly, apart from folders', () => {
    const folder = folderOf([]);
    const { files, folders } = droppedOf([
      itemOf(fileOf('cat.jpg')),
      itemOf(folder),
      { ...itemOf(folder), kind: 'string' },
    ]);

    expect(files.map(({ name }) => name)).to.deep.equal(['cat.jpg']);
    expect(folders).to.deep.equal([folder]);
  });

  it('are there without entries in browsers that have none', () => {
    const { files } = droppedOf([{ kind: 'file', getAsFile: () => new File(['x'], 'cat.jpg') }]);

    expect(files.map(({ name }) => name)).to.deep.equal(['cat.jpg']);
  });

  it('of a folder are all of it, nested folders included, folder by folder', async () => {
    const nested = folderOf([fileOf('c.jpg'), folderOf([fileOf('d.jpg')])]);

    expect(await namesIn(folderOf([fileOf('a.jpg'), nested, fileOf('b.jpg')]))).to.deep.equal([
      'a.jpg',
      'b.jpg',
      'c.jpg',
      'd.jpg',
    ]);
  });

  it('of a large folder come from as many readings as the browser needs', async () => {
    const files = Array.from({ length: 250 }, (_, index) => fileOf(`${index}.jpg`));

    expect(await namesIn(folderOf(files))).to.have.lengthOf(250);
  });

  it('name the folders that systems keep in place of their files, but not a chosen one', async () => {
    const thumbnails = folderOf([fileOf('SYNOPHOTO_THUMB_XL.jpg')], '@eaDir');
    const chosen = folderOf(
      [fileOf('a.jpg'), thumbnails, folderOf([fileOf('b.jpg')], '.thumbnails')],
      '#recycle',
    );

    expect(await collectAll(filesOf([chosen])).then((found) => found.map(nameOf))).to.deep.equal([
      'a.jpg',
      'skipped @eaDir',
      'skipped .thumbnails',
    ]);
  });

  it('leave out what cannot be read', async () => {
    const lost = {
      ...fileOf('lost.jpg'),
      file: (_: unknown, reject: (error: Error) => void) => reject(new Error()),
    };
    const closed = {
      ...folderOf([]),
      createReader: () => ({
        readEntries: (_: unknown, reject: (error: Error) => void) => reject(new Error()),
      }),
    };

    expect(await namesIn(folderOf([lost, closed, fileOf('a.jpg')]))).to.deep.equal(['a.jpg']);
  });
});

/** Browsers return at most so many entries at a time. */
const ENTRIES_AT_A_TIME = 100;

async function namesIn(folder: DroppedEntry): Promise<readonly string[]> {
  return (await collectAll(filesOf([folder]))).map(nameOf);
}

function nameOf(found: File | SkippedFolder): string {
  return 'skippedFolder' in found ? `skipped ${found.skippedFolder}` : found.name;
}

function fileOf(name: string): DroppedEntry {
  const file = (resolve: (file: File) => void): void => resolve(new File(['x'], name));
  return Object.assign({ name, isFile: true, isDirectory: false }, { file });
}

function folderOf(entries: readonly DroppedEntry[], name = 'folder'): DroppedEntry {
  const createReader = (): object => {
    let left = entries;
    return {
      readEntries: (resolve: (entries: readonly DroppedEntry[]) => void) => {
        const next = left.slice(0, ENTRIES_AT_A_TIME);
        left = left.slice(ENTRIES_AT_A_TIME);
        resolve(next);
      },
    };
  };
  return Object.assign({ name, isFile: false, isDirectory: true }, { createReader });
}

function itemOf(entry: DroppedEntry): DroppedItem {
  return {
    kind: 'file',
    webkitGetAsEntry: () => entry,
    getAsFile: () => (entry.isFile ? new File(['x'], 'cat.jpg') : null),
  };
}
