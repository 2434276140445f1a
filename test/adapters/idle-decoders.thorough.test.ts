import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { DecoderPool } from '../../src/adapters/decoder/decoder-pool.ts';
import { decoderPool, jobOf } from '../support/doubles/decoders.ts';
import {
  type RESTLESS,
  writeForkingDecoder,
  writeRestlessDecoder,
} from '../support/doubles/restless-decoder.ts';
import { pixelLimits } from '../support/fixtures/pixel-limits.ts';
import { rawPng } from '../support/fixtures/raw-pictures.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/fixtures/temporary-folder.ts';
import { isAlive, ownCpuMsOf, processIdsOf } from '../support/servers/process-tree.ts';
import { skipAloud } from '../support/skipped/skip-aloud.ts';
import { eventually } from '../support/time/eventually.ts';
import { ManualTime } from '../support/time/manual-time.ts';

const MIB = 1024 * 1024;
const PICTURE = rawPng({ width: 16, height: 16, colourType: 'rgb', bitDepth: 8 });

function keptBytesOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'latin1');
  const sizes = status.matchAll(/^Rss(?:Anon|Shmem):\s*(\d+)/gm);
  return [...sizes].reduce((sum, [, kib]) => sum + Number(kib) * 1024, 0);
}

async function inspectIn(pool: DecoderPool): Promise<void> {
  const bounds = { cpuSeconds: 20, memoryBytes: 800 * MIB, replyBytes: MIB };
  const parse = ({ message }: { message: unknown }): unknown => message;
  const open = { kind: 'open', mediaType: 'image/png', ...pixelLimits(256) } as const;
  const reply = await pool.run(jobOf({ kind: 'inspection' }), async ({ ask }) => {
    await ask({ request: open, input: PICTURE, bounds, parse });
    return await ask({ request: { kind: 'inspect' }, bounds, parse });
  });
  expect(reply).to.include({ kind: 'inspected' });
}

describe('A decoder without a job', function () {
  let folder: TemporaryFolder;
  let time: ManualTime;
  let pool: DecoderPool;
  let warnings: object[];

  before(function () {
    if (process.platform !== 'linux') skipAloud(this, 'decoders are watched on Linux only');
  });

  beforeEach(async () => {
    folder = await temporaryFolder();
    time = new ManualTime();
    warnings = [];
  });

  afterEach(async () => {
    await pool.stop();
    await folder.remove();
  });

  /** Resolves to the id of the only decoder. */
  async function start(program: string, kept = 1): Promise<number> {
    const before = processIdsOf(process.pid);
    pool = decoderPool({
      program,
      slots: 1,
      kept,
      renditions: 1,
      timer: time.after,
      warn: (facts) => warnings.push(facts),
    });
    await pool.start();
    const isNew = (pid: number): boolean =>
      !before.includes(pid) && readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes(program);
    return processIdsOf(process.pid).find(isNew) as number;
  }

  async function startRestless(what: keyof typeof RESTLESS): Promise<number> {
    const program = join(folder.path, 'decoder.cjs');
    await writeRestlessDecoder(program, what);
    const pid = await start(program);
    await inspectIn(pool);
    return pid;
  }

  /** After one or two looks of the watch. */
  async function hasEnded(pid: number): Promise<boolean> {
    time.pass(2000);
    return await eventually(() => !isAlive(pid), Boolean);
  }

  async function logged(): Promise<readonly object[]> {
    await eventually(
      () => warnings.length,
      (count) => count > 0,
    );
    return warnings;
  }

  it('is replaced if it keeps more than 64 MiB', async () => {
    const pid = await startRestless('memory');
    await eventually(
      () => keptBytesOf(pid),
      (bytes) => bytes > 200 * MIB,
    );

    expect(await hasEnded(pid)).to.equal(true);
    await inspectIn(pool);
  });

  it('is ended if it uses CPU time, and the log says so', async () => {
    const pid = await startRestless('cpu');
    await eventually(
      () => ownCpuMsOf(pid),
      (ms) => ms > 2000,
    );

    expect(await hasEnded(pid)).to.equal(true);
    expect(await logged()).to.deep.equal([{ words: 'crash, SIGKILL CPU time without a job' }]);
  });

  it('is ended with a process that it has started, in a process group of its own', async () => {
    const program = join(folder.path, 'decoder.cjs');
    await writeForkingDecoder(program);
    const pid = await start(program);
    const [child = 0] = processIdsOf(pid).filter((each) => each !== pid);

    expect(isAlive(child)).to.equal(true);
    expect(await hasEnded(pid)).to.equal(true);
    expect(await eventually(() => !isAlive(child), Boolean)).to.equal(true);
    expect(await logged()).to.deep.equal([{ words: 'crash, SIGKILL a process without a job' }]);
  });

  it('stays if it does nothing', async () => {
    const pid = await start(join(process.cwd(), 'dist/decoder.cjs'));
    await inspectIn(pool);
    for (let second = 0; second < 120; second += 1) time.pass(1000);

    expect(isAlive(pid)).to.equal(true);
    expect(warnings).to.deep.equal([]);
  });
});
