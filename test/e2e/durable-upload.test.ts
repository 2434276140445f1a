import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { randomNumbers } from '../support/fixtures/random-numbers.ts';
import { noise } from '../support/http/busy-clients.ts';
import { ServiceFolder } from '../support/servers/service-folder.ts';
import {
  isStraceThere,
  readTrace,
  type SystemCall,
  tracingInto,
} from '../support/servers/system-call-trace.ts';
import { skipAloud } from '../support/skipped/skip-aloud.ts';

describe('the response 201', () => {
  let folder: ServiceFolder;
  let data: string;
  let calls: readonly SystemCall[];
  let responseSent: SystemCall;
  let staged: string;
  let blob: string;
  let pictureName: string;

  before(async function () {
    if (!isStraceThere()) skipAloud(this, 'strace is not installed');
    folder = await ServiceFolder.open();
    data = join(folder.path, 'new', 'data');
    const trace = join(folder.path, 'trace');
    const service = await folder.start(
      {
        DATABASE_URL: `sqlite:${join(data, 'db', 'catalog.sqlite')}`,
        BLOB_STORE_URL: `file:${join(data, 'blobs')}`,
        // Without io_uring, every write to a file is a system call in the trace.
        UV_USE_IO_URING: '0',
      },
      { through: tracingInto(trace) },
    );
    const picture = await noise(randomNumbers(1));
    pictureName = picture.name;
    const response = await folder.client(service).upload(picture.bytes, pictureName);
    expect(response.status).to.equal(201);
    expect(await service.process.stop('SIGTERM')).to.deep.equal({ code: 0, signal: null });
    calls = await readTrace(trace, service.process.pid);
    responseSent = theCall(/^writev?$|^send/, /"HTTP\/1\.1 201/);
    const renamed = theCall(/^rename/, /\.part", .*"[^"]*\/blobs\/[^"]*"/);
    [staged = '', blob = ''] = [...renamed.args.matchAll(/"([^"]*)"/g)].map(([, path]) => path ?? '');
  });

  after(() => folder?.close());

  function found(name: RegExp, args: RegExp): readonly SystemCall[] {
    return calls.filter((call) => name.test(call.name) && args.test(call.args));
  }

  function theCall(name: RegExp, args: RegExp): SystemCall {
    const [call, ...others] = found(name, args);
    if (call === undefined || others.length > 0) {
      throw new Error(`${others.length + (call ? 1 : 0)} calls of ${name} ${args}`);
    }
    return call;
  }

  /** Writes to a file. */
  function writesTo(path: string): readonly SystemCall[] {
    return found(/^p?writev?(64)?$/, new RegExp(`^\\d+<${escaped(path)}>`));
  }

  function syncsOf(path: string): readonly SystemCall[] {
    return found(/^f(data)?sync$/, new RegExp(`^\\d+<${escaped(path)}>`));
  }

  /** A file or a folder was synced after one call and before another. */
  function expectSync(path: string, after: SystemCall | undefined, before: SystemCall): void {
    expect(after, `what must be synced of ${path}`).to.not.equal(undefined);
    const syncs = syncsOf(path).filter(
      (sync) => sync.began > (after?.ended ?? 0) && sync.ended < before.began,
    );
    expect(syncs.length, `syncs of ${path} in time`).to.be.greaterThan(0);
  }

  it('comes after the staged file was synced, renamed, and its folder synced', () => {
    const renamed = theCall(/^rename/, new RegExp(escaped(blob)));

    expectSync(staged, writesTo(staged).at(-1), renamed);
    expectSync(dirname(blob), renamed, responseSent);
  });

  it('comes after each new folder was synced into its parent', () => {
    const made = found(/^mkdir/, new RegExp(escaped(data)))
      .filter(({ ended }) => ended < responseSent.began)
      .map((call) => ({ call, path: /"([^"]*)"/.exec(call.args)?.[1] ?? '' }));

    const paths = made.map(({ path }) => path.slice(data.length));
    const shards = [dirname(dirname(blob)), dirname(blob)].map((path) => path.slice(data.length));
    expect(paths).to.include.members(['', '/db', '/blobs', '/blobs/.staging', ...shards]);
    for (const { call, path } of made) expectSync(dirname(path), call, responseSent);
  });

  it('comes after the record was written to the database log and synced', () => {
    const log = join(data, 'db', 'catalog.sqlite-wal');
    const blobSync = syncsOf(dirname(blob)).at(-1);
    // Only pages with the record: what the service does in the background writes to the same log.
    const record = writesTo(log).filter(
      ({ args, began, ended }) =>
        args.includes(pictureName) && began > (blobSync?.ended ?? 0) && ended < responseSent.began,
    );

    expect(record.length, 'writes to the log after the blob was durable').to.be.greaterThan(0);
    expectSync(log, record.at(-1), responseSent);
  });

  it('comes after the directory entries of the database and its log were synced', () => {
    for (const name of ['catalog.sqlite', 'catalog.sqlite-wal']) {
      const path = join(data, 'db', name);
      const [made] = found(/^openat$/, new RegExp(`"${escaped(path)}", [^,]*O_CREAT`));

      expectSync(dirname(path), made, responseSent);
    }
  });
});

function escaped(path: string): string {
  return path.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
