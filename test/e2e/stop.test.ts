import { watch } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { FORM_TYPE, filePart, multipart } from '../support/fixtures/multipart.ts';
import { pngPicture } from '../support/fixtures/pictures.ts';
import { rawPng } from '../support/fixtures/raw-pictures.ts';
import { RawConnection, requestHead } from '../support/http/raw-connection.ts';
import { ServiceFolder } from '../support/servers/service-folder.ts';
import { type RunningService, stagingFolder } from '../support/servers/service-process.ts';

/** The maximum size of a form apart from its file. */
const FORM_OVERHEAD = 1000;

let folder: ServiceFolder;
let form: Buffer;
let head: string;

describe('the built service, stopping', () => {
  before(async () => {
    folder = await ServiceFolder.open();
    form = multipart([filePart(await pngPicture())]);
    head = requestHead('POST', '/api/upload', headersFor(form));
  });

  afterEach(() => folder.stopAll());

  after(() => folder?.close());

  for (const name of ['SIGTERM', 'SIGINT'] as const) {
    it(`on ${name} finishes an upload in progress and ends with 0`, async () => {
      const service = await folder.start();
      const upload = await beginUpload(service);
      await signal(service, name);

      expect(await finishUpload(upload)).to.equal(201);
      expect(await service.process.exited).to.deep.equal({ code: 0, signal: null });
      expect(await readdir(stagingFolder(folder.path))).to.deep.equal([]);
    });
  }

  it('accepts no new connection while it finishes requests in progress', async () => {
    const service = await folder.start();
    const upload = await beginUpload(service);
    await signal(service, 'SIGTERM');

    const refused = await fetch(service.url).then(
      () => 'a response',
      (error: TypeError) => (error.cause as NodeJS.ErrnoException).code,
    );

    // A connection still in the accept queue is reset when the listener closes.
    expect(refused).to.be.oneOf(['ECONNREFUSED', 'ECONNRESET']);
    expect(await finishUpload(upload)).to.equal(201);
    await service.process.exited;
  });

  logReaders();

  it('closes idle connections', async () => {
    const service = await folder.start();
    const idle = await RawConnection.open(Number(new URL(service.url).port));
    idle.send(requestHead('GET', '/'));
    expect((await idle.response()).status).to.equal(200);

    expect(await service.process.stop('SIGTERM')).to.deep.equal({ code: 0, signal: null });
    await idle.closed;
  });

  abortedUploads();
});

function logReaders(): void {
  it('responds and ends with 0 if the reader of its log is gone', async () => {
    const service = await folder.start();
    service.process.leaveStdout();
    expect((await fetch(service.url)).status).to.equal(200);

    expect(await service.process.stop('SIGTERM')).to.deep.equal({ code: 0, signal: null });
    expect(service.process.stderr).to.equal('');
  });

  it('ends by the signal if the reader of its log stalls', async () => {
    const service = await folder.start();
    service.process.pauseStdout();
    const longPath = `${service.url}${'x/'.repeat(4_000)}`;
    for (let number = 0; number < 100; number += 1) expect((await fetch(longPath)).status).to.equal(401);

    expect(await service.process.stop('SIGTERM')).to.deep.equal({ code: null, signal: 'SIGTERM' });
  });
}

function abortedUploads(): void {
  it('aborts an upload that exceeds the grace period, ends with 0, and leaves no orphaned files', async () => {
    const service = await folder.start({ SHUTDOWN_GRACE_SECONDS: '1' });
    const before = await folder.blobFiles();
    const upload = await beginUpload(service);
    await signal(service, 'SIGTERM');

    expect(await service.process.exited).to.deep.equal({ code: 0, signal: null });
    await upload.closed;
    expect(upload.pending).to.equal('');
    expect(await readdir(stagingFolder(folder.path))).to.deep.equal([]);
    expect(await folder.blobFiles()).to.deep.equal(before);
    expect(service.process.stderr).to.equal('');
  });

  it('aborts an upload during its decode and leaves no orphaned blob', async () => {
    const service = await folder.start({ SHUTDOWN_GRACE_SECONDS: '0' });
    // 0.4 MB that take seconds to decode: a larger file would also take the disk seconds to sync, which no stop can interrupt.
    const costly = rawPng({ width: 7071, height: 7071, colourType: 'rgba', bitDepth: 16 });
    const large = multipart([filePart(costly)]);
    const connection = await RawConnection.open(Number(new URL(service.url).port));
    connection.send(requestHead('POST', '/api/upload', headersFor(large)));
    connection.send(large);
    await stagedFileOf(large.length - FORM_OVERHEAD);
    const exit = await service.process.stop('SIGTERM');
    expect(exit, service.process.output).to.deep.equal({ code: 0, signal: null });

    const again = await folder.start();
    const recorded = (await folder.records(again)).map(({ filename }) => filename.slice(0, 36));
    await again.process.stop();
    expect(await folder.blobFiles()).to.have.members(recorded);
  });

  for (const second of ['SIGTERM', 'SIGINT'] as const) {
    it(`ends at once on a second signal, ${second}`, async () => {
      const service = await folder.start();
      const upload = await beginUpload(service);
      await signal(service, 'SIGTERM');

      expect(await service.process.stop(second)).to.deep.equal({ code: null, signal: second });
      await upload.closed;
      expect(upload.pending).to.equal('');
    });
  }
}

function headersFor(body: Buffer): Readonly<Record<string, string | number>> {
  return {
    Authorization: `Bearer ${folder.token}`,
    'Content-Type': FORM_TYPE,
    'Content-Length': body.length,
  };
}

/** Resolves when an upload of at least this many bytes is in the staging area. */
async function stagedFileOf(bytes: number): Promise<void> {
  for (;;) {
    for (const name of await readdir(stagingFolder(folder.path))) {
      const found = await stat(join(stagingFolder(folder.path), name)).catch(() => undefined);
      if (found !== undefined && found.size >= bytes) return;
    }
  }
}

/** Sends all but the last bytes of an upload; resolves when the service has begun to store it. */
async function beginUpload({ url }: RunningService): Promise<RawConnection> {
  const connection = await RawConnection.open(Number(new URL(url).port));
  const begun = changeIn(stagingFolder(folder.path));
  connection.send(head);
  connection.send(form.subarray(0, -20));
  await begun;
  return connection;
}

async function finishUpload(connection: RawConnection): Promise<number> {
  connection.send(form.subarray(-20));
  return (await connection.response()).status;
}

/** Sends the signal; resolves when the service has noticed it. */
async function signal({ process }: RunningService, name: NodeJS.Signals): Promise<void> {
  process.kill(name);
  await process.line((line) => (line.includes('"msg":"stopping"') ? true : undefined));
}

async function changeIn(path: string): Promise<void> {
  await new Promise<void>((resolve) => {
    const watcher = watch(path, () => {
      watcher.close();
      resolve();
    });
  });
}
