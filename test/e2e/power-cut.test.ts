import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { noise } from '../support/busy-clients.ts';
import { sha256Of, uploadedId } from '../support/catalog-client.ts';
import { LoopFileSystem } from '../support/loop-file-system.ts';
import { randomNumbers } from '../support/random-numbers.ts';
import { ServiceFolder } from '../support/service-folder.ts';
import type { RunningService } from '../support/service-process.ts';
import { isStraceThere, readTrace, type SystemCall, tracingInto } from '../support/system-call-trace.ts';

describe('the answer 201', function () {
  this.timeout(60_000);

  let folder: ServiceFolder;
  let data: string;
  let calls: readonly SystemCall[];
  let answer: SystemCall;
  let staged: string;
  let blob: string;

  before(async function () {
    if (!isStraceThere()) {
      console.log('      skipped: strace is not installed');
      this.skip();
    }
    folder = await ServiceFolder.open();
    data = join(folder.path, 'new', 'data');
    const trace = join(folder.path, 'trace');
    const service = await folder.start(
      {
        DATABASE_URL: `sqlite:${join(data, 'db', 'catalog.sqlite')}`,
        BLOB_STORE_URL: `file:${join(data, 'blobs')}`,
        // Files are written by calls that the trace shows.
        UV_USE_IO_URING: '0',
      },
      { through: tracingInto(trace) },
    );
    const picture = await noise(randomNumbers(1));
    const response = await folder.client(service).upload(picture.bytes, picture.name);
    expect(response.status).to.equal(201);
    expect(await service.process.stop('SIGTERM')).to.deep.equal({ code: 0, signal: null });
    calls = await readTrace(trace, service.process.pid);
    answer = theCall(/^writev?$|^send/, /"HTTP\/1\.1 201/);
    const renamed = theCall(/^rename/, /\.part", .*"[^"]*\/blobs\/[^"]*"/);
    [staged = '', blob = ''] = [...renamed.args.matchAll(/"([^"]*)"/g)].map(([, path]) => path ?? '');
  });

  after(async () => {
    await folder?.close();
  });

  function found(name: RegExp, args: RegExp): readonly SystemCall[] {
    return calls.filter((call) => name.test(call.name) && args.test(call.args));
  }

  function theCall(name: RegExp, args: RegExp): SystemCall {
    const [call, ...others] = found(name, args);
    if (call === undefined || others.length > 0)
      throw new Error(`${others.length + (call ? 1 : 0)} calls of ${name} ${args}`);
    return call;
  }

  /** Writes to a file. */
  function writesTo(path: string): readonly SystemCall[] {
    return found(/^p?writev?(64)?$/, new RegExp(`^\\d+<${escaped(path)}>`));
  }

  function syncsOf(path: string): readonly SystemCall[] {
    return found(/^f(data)?sync$/, new RegExp(`^\\d+<${escaped(path)}>`));
  }

  /** Whether a file or a folder was synced in between. */
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
    expectSync(dirname(blob), renamed, answer);
  });

  it('comes after each folder that is new was synced into the one above it', () => {
    const made = found(/^mkdir/, new RegExp(escaped(data)))
      .filter(({ ended }) => ended < answer.began)
      .map((call) => ({ call, path: /"([^"]*)"/.exec(call.args)?.[1] ?? '' }));

    const paths = made.map(({ path }) => path.slice(data.length));
    const shards = [dirname(dirname(blob)), dirname(blob)].map((path) => path.slice(data.length));
    expect(paths).to.include.members(['', '/db', '/blobs', '/blobs/.staging', ...shards]);
    for (const { call, path } of made) expectSync(dirname(path), call, answer);
  });

  it('comes after the record was written to the log of the database, which was synced', () => {
    const log = join(data, 'db', 'catalog.sqlite-wal');
    const blobSync = syncsOf(dirname(blob)).at(-1);
    const record = writesTo(log).filter(
      ({ began, ended }) => began > (blobSync?.ended ?? 0) && ended < answer.began,
    );

    expect(record.length, 'writes to the log after the blob was durable').to.be.greaterThan(0);
    expectSync(log, record.at(-1), answer);
  });

  it('comes after the names of the database and its log were synced', () => {
    for (const name of ['catalog.sqlite', 'catalog.sqlite-wal']) {
      const path = join(data, 'db', name);
      const [made] = found(/^openat$/, new RegExp(`"${escaped(path)}", [^,]*O_CREAT`));

      expectSync(dirname(path), made, answer);
    }
  });
});

describe('the built service, when the power is cut at the moment of an answer', function () {
  this.timeout(120_000);

  const random = randomNumbers(2);
  let folder: ServiceFolder;
  let disk: LoopFileSystem | undefined;

  before(async function () {
    folder = await ServiceFolder.open();
    try {
      disk = await LoopFileSystem.create(folder.path);
    } catch (error) {
      console.log(`      skipped: ${error instanceof Error ? error.message : String(error)}`);
      this.skip();
    }
  });

  after(async () => {
    await folder?.stopAll();
    disk?.unmount();
    await folder?.close();
  });

  /** What the disk has at the moment of an answer, and what the clients had been told by then. */
  interface Cut {
    readonly restore: () => Promise<LoopFileSystem>;
    readonly kept: ReadonlyMap<number, string>;
    readonly deleted: readonly number[];
  }

  it('has everything that was acknowledged, and nothing that was only in memory', async () => {
    if (disk === undefined) throw new TypeError('There is no disk');
    const service = await folder.start({}, { folder: disk.path });
    const cuts = await workAndCut(service, disk);
    await service.process.stop('SIGKILL');

    for (const cut of cuts) await expectWhole(cut);
  });

  async function workAndCut(service: RunningService, from: LoopFileSystem): Promise<readonly Cut[]> {
    const client = folder.client(service);
    const [kept, deleted, cuts] = [new Map<number, string>(), [] as number[], [] as Cut[]];
    const cut = async (): Promise<void> => {
      const restore = await from.cutPower(String(cuts.length));
      cuts.push({ restore, kept: new Map(kept), deleted: [...deleted] });
    };
    await writeFile(join(from.path, 'never-synced'), 'x'.repeat(100_000));
    for (let number = 0; number < 2; number += 1) {
      const { bytes, name, sha256 } = await noise(random, 200_000);
      const headers = number === 0 ? {} : { 'idempotency-key': `key-${number}` };
      const response = await client.upload(bytes, name, headers);
      expect(response.status).to.equal(201);
      kept.set(uploadedId(response), sha256);
      await cut();
    }
    const [first = 0] = kept.keys();
    expect((await client.delete(first)).status).to.equal(204);
    kept.delete(first);
    deleted.push(first);
    await cut();
    return cuts;
  }

  async function expectWhole({ restore, kept, deleted }: Cut): Promise<void> {
    const restored = await restore();
    try {
      const lost = await readFile(join(restored.path, 'never-synced'), 'utf8').catch(() => '');
      expect(lost, 'the cut loses what was not synced').to.equal('');
      const service = await folder.start({}, { folder: restored.path });
      const client = folder.client(service);
      const listed = new Map((await client.list()).map(({ id, sha256 }) => [id, sha256]));
      expect(listed).to.deep.equal(kept);
      for (const [id, sha256] of kept) expect(await sha256Of(await client.file(id))).to.equal(sha256);
      for (const id of deleted) expect((await client.get(id)).status).to.equal(404);
      await service.process.stop('SIGTERM');
      expect(await folder.run(['verify'], {}, restored.path)).to.deep.include({ code: 0, stdout: '' });
    } finally {
      await folder.stopAll();
      restored.unmount();
    }
  }
});

function escaped(path: string): string {
  return path.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
