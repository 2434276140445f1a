import { readdir } from 'node:fs/promises';
import { expect } from 'chai';
import { FORM_TYPE, filePart, openMultipart } from '../support/fixtures/multipart.ts';
import { noisyPng } from '../support/fixtures/pictures.ts';
import { RawConnection, requestHead } from '../support/http/raw-connection.ts';
import { ServiceFolder } from '../support/servers/service-folder.ts';
import { stagingFolder } from '../support/servers/service-process.ts';
import { eventually } from '../support/time/eventually.ts';

describe('the built service, read-only', () => {
  let folder: ServiceFolder;

  before(async () => {
    folder = await ServiceFolder.open();
  });

  after(() => folder?.close());

  async function stagedFiles(): Promise<readonly string[]> {
    return await readdir(stagingFolder(folder.path));
  }

  /** Kills a service in the middle of an upload. */
  async function leaveStagedFile(): Promise<void> {
    const service = await folder.start();
    const connection = await RawConnection.open(Number(new URL(service.url).port));
    const headers = {
      Authorization: `Bearer ${folder.token}`,
      'Content-Type': FORM_TYPE,
      'Content-Length': 1_000_000,
    };
    connection.send(requestHead('POST', '/api/upload', headers));
    connection.send(openMultipart([filePart(await noisyPng(100, 100))]));
    await eventually(stagedFiles, (names) => names.length === 1);
    await service.process.stop('SIGKILL');
  }

  it('starts on a folder without a catalog, makes one, and responds', async () => {
    const service = await folder.start({ READ_ONLY: 'true' });
    const records = await folder.records(service);
    await service.process.stop();
    expect(records).to.deep.equal([]);
  });

  it('does not remove staged files of a killed service; a later service does', async () => {
    await leaveStagedFile();
    const readOnly = await folder.start({ READ_ONLY: 'true' });
    const { code } = await readOnly.process.stop();
    const kept = await stagedFiles();
    const writable = await folder.start();
    await writable.process.line((line) => line.includes('"swept"') || undefined);
    await writable.process.stop();
    expect([code, kept.length]).to.deep.equal([0, 1]);
    expect(readOnly.process.stdout).not.to.contain('"swept"');
    expect(await stagedFiles()).to.deep.equal([]);
  });
});
