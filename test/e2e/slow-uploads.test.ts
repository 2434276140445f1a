import { expect } from 'chai';
import { FORM_TYPE, filePart, multipart, openMultipart } from '../support/fixtures/multipart.ts';
import { noisyPng } from '../support/fixtures/pictures.ts';
import { type BegunUpload, beginUpload } from '../support/http/begun-upload.ts';
import { RawConnection, requestHead } from '../support/http/raw-connection.ts';
import { ServiceFolder } from '../support/servers/service-folder.ts';
import type { RunningService } from '../support/servers/service-process.ts';
import { eventually } from '../support/time/eventually.ts';
import { repeat } from '../support/time/repeat.ts';

const START = openMultipart([filePart(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'))]);
const UPLOADS = 20;

describe('Two subjects whose 63 uploads of 1 KB a second have all slots but one', () => {
  let folder: ServiceFolder;
  let service: RunningService;
  let slow: readonly BegunUpload[];
  let end = (): void => {};
  let form: Buffer;

  before(async () => {
    form = multipart([filePart(await noisyPng(20, 20))]);
    folder = await ServiceFolder.open();
    service = await folder.start();
    const subjects = [
      ...Array.from({ length: 32 }, () => 'alice'),
      ...Array.from({ length: 31 }, () => 'bob'),
      'dave',
    ];
    slow = await Promise.all(subjects.map((sub) => begin(sub)));
    expect(slow.map(({ first }) => first.status)).to.deep.equal(subjects.map(() => 100));
    end = repeat(1_000, () => sendAll(Buffer.alloc(1_000)));
    sendAll(START);
  });

  after(async () => {
    end();
    for (const { connection } of slow ?? []) connection.close();
    await folder.close();
  });

  async function connect(): Promise<RawConnection> {
    return await RawConnection.open(Number(new URL(service.url).port));
  }

  async function begin(sub: string): Promise<BegunUpload> {
    const headers = { Authorization: `Bearer ${folder.tokenWith({ sub })}`, 'Content-Length': 40_000_000 };
    return await beginUpload({ connect }, '/api/upload', headers);
  }

  function sendAll(bytes: Buffer): void {
    for (const { connection } of slow) if (connection.pending === '') connection.send(bytes);
  }

  async function upload(): Promise<number> {
    const connection = await connect();
    const headers = {
      Authorization: `Bearer ${folder.tokenWith({ sub: 'carol' })}`,
      'Content-Type': FORM_TYPE,
      'Content-Length': form.length,
      Connection: 'close',
    };
    connection.send(requestHead('POST', '/api/upload', headers));
    connection.send(form);
    return (await connection.response()).status;
  }

  it('leave a third none before they are ten seconds old, and all that it needs from then on', async () => {
    expect(await upload()).to.equal(503);
    // An upload that waits for a slot is 503 after two seconds.
    expect(await eventually(upload, (status) => status === 201)).to.equal(201);
    const statuses = await Promise.all(Array.from({ length: UPLOADS }, () => upload()));
    expect(statuses).to.deep.equal(Array.from({ length: UPLOADS }, () => 201));

    const ended = slow.filter(({ connection }) => connection.pending !== '');
    expect(ended.length).to.be.within(1, UPLOADS + 1);
    for (const { connection } of ended) expect((await connection.response()).status).to.equal(408);
    // The only upload of its subject.
    expect(slow.at(-1)?.connection.pending).to.equal('');
  });
});
