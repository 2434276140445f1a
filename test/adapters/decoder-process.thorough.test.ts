import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { inspect as nodeInspect } from 'node:util';
import { expect } from 'chai';
import type { Decoding } from '../../src/adapters/decoder/decode-job.ts';
import { DecodeMemory } from '../../src/adapters/decoder/decode-memory.ts';
import type { DecoderPool, ImageJob } from '../../src/adapters/decoder/decoder-pool.ts';
import { DecoderProcess } from '../../src/adapters/decoder/decoder-process.ts';
import type { Frame } from '../../src/decoder/protocol.ts';
import { ImageBeyondLimits, InvalidImage, Overloaded } from '../../src/domain/errors.ts';
import { decoderProgram } from '../../src/infrastructure/decoder-program.ts';
import { decoderPool, jobOf, VERSIONS } from '../support/doubles/decoders.ts';
import { type ProbeResult, writeProbingDecoder } from '../support/doubles/probing-decoder.ts';
import { STAYING } from '../support/doubles/staying.ts';
import { pixelLimits } from '../support/fixtures/pixel-limits.ts';
import { rawPng } from '../support/fixtures/raw-pictures.ts';
import { rejection } from '../support/fixtures/rejection.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/fixtures/temporary-folder.ts';
import { skipAloud } from '../support/skipped/skip-aloud.ts';
import { eventually } from '../support/time/eventually.ts';
import { settled } from '../support/time/gate.ts';

const MB = 1_000_000;
const ENOUGH = { cpuSeconds: 20, memoryBytes: 800 * MB, replyBytes: MB };
const NOBODY = 65_534;

interface Picture {
  readonly side: number;
  readonly bytes: Buffer;
}

/** The decoder holds all of it. */
function interlaced(side: number): Picture {
  const shape = { width: side, height: side, colourType: 'rgba', bitDepth: 16, isInterlaced: true } as const;
  return { side, bytes: rawPng(shape) };
}

/** Takes some tenths of a second: long enough to interrupt it. */
const LARGE = interlaced(4_000);

const pools: DecoderPool[] = [];

/** Two decoders that are ready. */
async function startedPool(options: Parameters<typeof decoderPool>[0] = {}): Promise<DecoderPool> {
  const pool = decoderPool({ slots: 2, renditions: 1, ...options });
  pools.push(pool);
  const before = decoderPids();
  await pool.start();
  await eventually(
    () => newSince(before).length,
    (running) => running === (options.slots ?? 2),
  );
  return pool;
}

/** Children of this process. */
function decoderPids(): readonly number[] {
  const tasks = readdirSync('/proc/self/task');
  return tasks.flatMap((task) => {
    const children = readFileSync(`/proc/self/task/${task}/children`, 'utf8').split(' ');
    return children.filter((child) => child !== '').map(Number);
  });
}

function newSince(before: readonly number[]): readonly number[] {
  return decoderPids().filter((pid) => !before.includes(pid) && isReady(pid));
}

/** Frozen: the last step of its start. */
function isReady(pid: number): boolean {
  try {
    return /^Max open files +0 /m.test(readFileSync(`/proc/${pid}/limits`, 'utf8'));
  } catch {
    return false;
  }
}

async function inspection(
  { ask, reserve }: Decoding,
  stated: Partial<typeof ENOUGH> = {},
  input: Buffer | string = LARGE.bytes,
): Promise<Frame> {
  const parse = (reply: Frame): Frame => reply;
  const bounds = { ...ENOUGH, ...stated };
  const open = { kind: 'open', mediaType: 'image/png', ...pixelLimits(50 * MB) } as const;
  await ask({ request: open, input, bounds, parse });
  reserve(1);
  return await ask({ request: { kind: 'inspect' }, bounds, parse });
}

const UPLOAD = { kind: 'inspection', mediaType: 'image/png' } as const;

function inspect(
  pool: DecoderPool,
  bounds: Partial<typeof ENOUGH> = {},
  job: Partial<ImageJob> = {},
): Promise<Frame> {
  return pool.run(jobOf({ ...UPLOAD, ...job }), (decoding) => inspection(decoding, bounds));
}

/** Uses CPU: a job runs in it. */
async function busyPid(pids: readonly number[]): Promise<number> {
  const begin = new Map(pids.map((pid) => [pid, ticksOf(pid)]));
  const find = (): number | undefined => pids.find((pid) => ticksOf(pid) > (begin.get(pid) ?? 0) + 2);
  return (await eventually(find, (pid) => pid !== undefined)) as number;
}

function ticksOf(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/stat`, 'latin1').split(' ')[13]);
}

function endPools(): void {
  before(function () {
    if (process.platform !== 'linux') skipAloud(this, 'needs Linux');
  });

  afterEach(async () => {
    await Promise.all(pools.splice(0).map((pool) => pool.stop()));
  });
}

describe('A decoder process', () => {
  endPools();

  for (const [bound, bounds] of [
    ['CPU time', { cpuSeconds: 0.1 }],
    ['memory', { memoryBytes: 30 * MB }],
  ] as const) {
    it(`is ended when a picture takes more ${bound} than it may, and the picture is not decoded again`, async () => {
      const warnings: object[] = [];
      const pool = await startedPool({ warn: (facts) => warnings.push(facts) });
      const before = decoderPids();

      expect(await rejection(inspect(pool, bounds))).to.be.instanceOf(ImageBeyondLimits);
      expect(warnings).to.have.length(1);
      expect(warnings[0]).to.include({
        reason: bound === 'memory' ? 'memory' : 'cpu',
        sha256: '0'.repeat(64),
      });
      await eventually(
        () => newSince(before).length,
        (running) => running === 1,
      );
      // With room for a decode: the file itself is refused.
      expect(await rejection(inspect(pool))).to.be.instanceOf(ImageBeyondLimits);
      expect(warnings).to.have.length(1);
      expect((await inspect(pool, {}, { sha256: 'other' })).message).to.include({ kind: 'inspected' });
    });
  }

  it('is ended when all decodes together would take more than their memory; the picture may come again', async () => {
    const pool = await startedPool({ memory: new DecodeMemory(40 * MB) });

    expect(await rejection(inspect(pool))).to.be.instanceOf(Overloaded);
    expect(pool.memory.isFree(40 * MB)).to.equal(true);
    expect(pool.ended('no_memory')).to.equal(1);
  });

  it('is ended if the client leaves at once', async () => {
    const pool = await startedPool();
    const leaver = new AbortController();
    const reason = new Error('left');
    const decoding = pool.run(jobOf({ ...UPLOAD, signal: leaver.signal }), async (decoder) => {
      const frame = inspection(decoder);
      void settled().then(() => leaver.abort(reason));
      return await frame;
    });

    expect(await rejection(decoding)).to.equal(reason);
    expect(pool.ended('cancelled')).to.equal(1);
  });

  it('finishes a picture that it has begun some time ago, although the client leaves', async () => {
    const before = decoderPids();
    const pool = await startedPool();
    const leaver = new AbortController();
    const { bytes } = interlaced(7_000);
    const decoding = pool.run(jobOf({ ...UPLOAD, signal: leaver.signal }), (decoder) =>
      inspection(decoder, {}, bytes),
    );
    const busy = await busyPid(newSince(before));
    await eventually(
      () => ticksOf(busy),
      (ticks) => ticks > 60,
    );
    leaver.abort(new Error('left'));

    expect((await decoding).message).to.include({ kind: 'inspected' });
  });

  it('ends with the pool, whatever it does', async () => {
    const before = decoderPids();
    const pool = await startedPool();
    const decoding = rejection(inspect(pool));
    await busyPid(newSince(before));
    await pool.stop();

    expect(await decoding).to.be.instanceOf(Overloaded);
    expect(newSince(before)).to.deep.equal([]);
  });

  it('refuses a truncated picture, and decodes the next', async () => {
    const pool = await startedPool();
    const cut = LARGE.bytes.subarray(0, LARGE.bytes.length / 2);
    const refused = await rejection(pool.run(jobOf(UPLOAD), (decoder) => inspection(decoder, {}, cut)));

    expect(refused).to.be.instanceOf(InvalidImage).and.not.instanceOf(ImageBeyondLimits);
    expect((await inspect(pool)).message).to.include({ kind: 'inspected' });
  });

  it('drops a picture whose job has ended before it was decoded', async () => {
    const pool = await startedPool({ slots: 1, kept: 1 });
    const parse = (reply: Frame): Frame => reply;
    const open = { kind: 'open', mediaType: 'image/png', ...pixelLimits(50 * MB) } as const;
    await pool.run(jobOf(UPLOAD), ({ ask }) =>
      ask({ request: open, input: LARGE.bytes, bounds: ENOUGH, parse }),
    );
    const decoding = pool.run(jobOf(UPLOAD), ({ ask }) =>
      ask({ request: { kind: 'inspect' }, bounds: ENOUGH, parse }),
    );

    expect(await rejection(decoding)).to.be.instanceOf(InvalidImage);
  });
});

describe('A running decoder process', () => {
  endPools();

  for (const [signal, error] of [
    ['SIGKILL', Overloaded],
    ['SIGSTOP', Overloaded],
    ['SIGSEGV', InvalidImage],
  ] as const) {
    it(`that ends by ${signal} is replaced, and the picture decoded again`, async () => {
      const before = decoderPids();
      const pool = await startedPool();
      const decoding = inspect(pool);
      process.kill(await busyPid(newSince(before)), signal);

      expect((await decoding).message).to.include({ kind: 'inspected' });
    });

    it(`that ends twice by ${signal} fails the request with ${error.name}`, async () => {
      const before = decoderPids();
      const pool = await startedPool();
      const decoding = rejection(inspect(pool));
      const both = newSince(before);
      process.kill(await busyPid(both), signal);
      const fresh = await eventually(
        () => newSince(before).filter((pid) => !both.includes(pid)),
        (pids) => pids.length > 0,
      );
      process.kill(await busyPid(fresh), signal);

      expect(await decoding).to.be.instanceOf(error);
      expect((await inspect(pool)).message).to.include({ kind: 'inspected' });
    });
  }

  it('whose stop nobody has noticed, like that of all others, is replaced, and the picture decoded', async () => {
    const before = decoderPids();
    const pool = await startedPool();
    for (const pid of newSince(before)) process.kill(pid, 'SIGSTOP');

    expect((await inspect(pool)).message).to.include({ kind: 'inspected' });
  });

  it('that is killed while it is sent a file is replaced, and the file decoded', async () => {
    const files = await temporaryFolder();
    const path = join(files.path, 'large.png');
    writeFileSync(path, LARGE.bytes);
    const before = decoderPids();
    const pool = await startedPool();
    await inspect(pool);
    // The next job is given to the same decoder.
    const decoding = inspect(pool);
    const stopped = await busyPid(newSince(before));
    await decoding;
    process.kill(stopped, 'SIGSTOP');

    expect((await pool.run(jobOf(UPLOAD), (decoder) => inspection(decoder, {}, path))).message).to.include({
      kind: 'inspected',
    });
    await files.remove();
  });

  it('that is killed while it is idle is replaced, and the log says so', async () => {
    const before = decoderPids();
    const warnings: object[] = [];
    await startedPool({ warn: (facts) => warnings.push(facts) });
    const idle = newSince(before);
    for (const pid of idle) process.kill(pid, 'SIGKILL');

    const isNew = (pids: readonly number[]): boolean =>
      pids.length === 2 && pids.every((pid) => !idle.includes(pid));
    expect(await eventually(() => newSince(before), isNew)).to.satisfy(isNew);
    expect(warnings).to.have.length(2);
    // A decoder may not have said yet that it has started.
    for (const warning of warnings) expect(nodeInspect(warning)).to.include('signal, SIGKILL');
  });
});

describe('A decoder process, before its first picture,', function () {
  let folder: TemporaryFolder;
  let server: Server;

  before(async function () {
    if (process.platform !== 'linux') skipAloud(this, 'decoders are confined on Linux only');
    folder = await temporaryFolder();
    server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
  });

  after(async () => {
    server?.close();
    await folder?.remove();
  });

  async function probe(): Promise<ProbeResult> {
    const file = join(folder.path, 'file');
    const program = join(folder.path, 'decoder.cjs');
    writeFileSync(file, '');
    const library = readFileSync('/proc/self/maps', 'utf8').match(/\/\S*\/libz?c?m?\.so\S*/)?.[0] ?? '';
    await writeProbingDecoder(program, { file, port: (server.address() as AddressInfo).port, library });
    const pool = decoderPool({ program, slots: 2, renditions: 1 });
    try {
      const { cause } = await rejection(inspect(pool));
      return JSON.parse((cause as Error).message) as ProbeResult;
    } finally {
      await pool.stop();
    }
  }

  it('has lost files, sockets, programs, libraries and the environment', async () => {
    const { environment, attempts } = await probe();

    expect(environment).to.deep.equal([]);
    const { signalParent: _signal, rename: _rename, remove: _remove, ...prevented } = attempts;
    for (const [name, result] of Object.entries(prevented)) expect(result, name).to.not.equal('done');
  });

  it('is not used if its libraries are others than those installed', async () => {
    const versions = { ...VERSIONS, vips: '0.0.1' };
    const starting = DecoderProcess.start({ path: decoderProgram(), maxJobBytes: 1, versions }, STAYING);

    expect((await rejection(starting)).message).to.match(
      /^The decoder has vips .*, and 0\.0\.1 is installed$/,
    );
  });

  it('is another user if the service is root: it removes and renames no file, and signals no process', async function () {
    if (process.getuid?.() !== 0) skipAloud(this, 'needs root');
    const { user, attempts } = await probe();
    const { signalParent, rename, remove } = attempts;

    expect(user).to.equal(NOBODY);
    expect([signalParent, rename, remove]).to.deep.equal(['EPERM', 'EACCES', 'EACCES']);
  });
});
