import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { OWNER_NOTE } from '../../src/adapters/filesystem/owner-note.ts';
import { replaceStart } from '../support/doubles/replaced-start.ts';
import type { CommandResult } from '../support/servers/command-in-process.ts';
import { ServiceFolder } from '../support/servers/service-folder.ts';
import { blobFolder } from '../support/servers/service-process.ts';

const OTHER_CATALOG = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
const FOREIGN = /^BLOB_STORE_URL together with DATABASE_URL cannot be used/;

/** With the catalog of a folder, which has no images. */
const DECODE_NOTHING: readonly (readonly [code: number, ...args: readonly string[]])[] = [
  [0, 'verify'],
  [0, 'reindex'],
  [0, 'sweep'],
  [0, 'spaces'],
  [0, 'webhooks'],
  [0, 'rotate-link-key'],
  [0, 'backup', 'copy'],
  [0, 'transfer', '--to-blobs', 'file:target', '--verify'],
  [0, 'import', 'files', '--direct', '--dry-run'],
];

describe('A command', () => {
  let folder: ServiceFolder;
  let restore: () => void;
  /** Calls that start decoders. */
  let starts: number;

  beforeEach(async () => {
    folder = await ServiceFolder.open();
    await mkdir(join(folder.path, 'files'));
    // The class that commands use: mocha requires the tests, and would have another one of this name.
    const { DecoderPool } = await import('../../src/adapters/decoder/decoder-pool.ts');
    starts = 0;
    restore = replaceStart(DecoderPool, () => {
      starts += 1;
      return Promise.reject(new Error('no library'));
    });
    // Prepares the storage.
    await run('migrate');
    await mkdir(blobFolder(folder.path), { recursive: true });
  });

  afterEach(async () => {
    restore();
    await folder.close();
  });

  async function run(...args: readonly string[]): Promise<CommandResult> {
    return await folder.run(args);
  }

  async function noteOtherOwner(): Promise<void> {
    await mkdir(join(blobFolder(folder.path), OWNER_NOTE, OTHER_CATALOG), { recursive: true });
  }

  for (const [code, ...args] of DECODE_NOTHING) {
    it(`starts no decoder if there is nothing to decode: ${args.join(' ')}`, async () => {
      const result = await run(...args);

      expect([result.code, starts], result.stderr).to.deep.equal([code, 0]);
    });
  }

  for (const args of [['reindex'], ['import', 'files', '--direct']]) {
    it(`refuses the blobs of another catalog without a decoder: ${args.join(' ')}`, async () => {
      await noteOtherOwner();
      const result = await run(...args);

      expect([result.code, starts], result.stderr).to.deep.equal([78, 0]);
      expect(result.stderr).to.match(FOREIGN);
    });
  }

  it('imports nothing if no decoder starts', async () => {
    const { code, stderr } = await run('import', 'files', '--direct');

    expect([code, stderr]).to.deep.equal([78, 'The decoder cannot be used: no library\n']);
  });
});
