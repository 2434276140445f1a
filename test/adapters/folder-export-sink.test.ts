import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { FolderExportSink } from '../../src/adapters/filesystem/folder-export-sink.ts';
import { temporaryFolder } from '../support/fixtures/temporary-folder.ts';

describe('FolderExportSink', () => {
  it('leaves out a file whose source fails with an error of the system, and goes on', async () => {
    const folder = await temporaryFolder();
    const sink = await FolderExportSink.open(folder.path);
    const bytes = Buffer.from('cat');
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const whole = async function* (): AsyncGenerator<Uint8Array> {
      yield bytes;
    };
    // Not a stream: it may fail before it is read, and then ends the process.
    const lost = async function* (): AsyncGenerator<Uint8Array> {
      yield await readFile(join(folder.path, 'nothing'));
    };

    const isWritten = [
      await sink.write('lost.png', lost(), sha256),
      await sink.write('cat.png', whole(), sha256),
    ];

    expect(isWritten).to.deep.equal([false, true]);
    expect(await readdir(folder.path))
      .to.include('cat.png')
      .and.not.include('lost.png');
    await folder.remove();
  });
});
