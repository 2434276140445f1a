import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { makeFolderDurably } from '../../src/adapters/filesystem/make-folder-durably.ts';
import { temporaryFolder } from '../support/fixtures/temporary-folder.ts';

describe('A folder with missing parents', () => {
  it('is made by all who make it at the same time', async () => {
    const { path, remove } = await temporaryFolder();
    for (let round = 0; round < 20; round += 1) {
      const inner = join(path, String(round), 'one', 'two');
      const all = [inner, join(inner, '..'), inner, join(inner, '../..')];
      await Promise.all(all.map((folder) => makeFolderDurably(folder)));
      expect((await stat(inner)).isDirectory()).to.equal(true);
    }
    await remove();
  });
});
