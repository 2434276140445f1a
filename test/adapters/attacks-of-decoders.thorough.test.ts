import { chmodSync, chownSync, writeFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { endStrays } from '../../src/adapters/decoder/end-strays.ts';
import { decoderPool } from '../support/doubles/decoders.ts';
import { type Action, writeDecoderWithObject } from '../support/doubles/loaded-object.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/fixtures/temporary-folder.ts';
import type { Outcome, Phase } from '../support/servers/attacked-pool-main.ts';
import { isAlive } from '../support/servers/process-tree.ts';
import { PROJECT_FOLDER, startScript } from '../support/servers/service-process.ts';
import { AS_ANOTHER_USER, canBecomeAnotherUser, OTHER_USER } from '../support/servers/without-powers.ts';
import { isInstalled } from '../support/skipped/is-installed.ts';
import { skipAloud } from '../support/skipped/skip-aloud.ts';
import { eventually } from '../support/time/eventually.ts';

const MAIN = join(PROJECT_FOLDER, 'test/support/servers/attacked-pool-main.ts');
const isRoot = process.getuid?.() === 0;

let folder: TemporaryFolder;
let trigger: string;

async function decoderWith(action: Action): Promise<string> {
  const program = await writeDecoderWithObject(folder.path, action, trigger);
  // Decoders have another user than the tests.
  chmodSync(folder.path, 0o755);
  return program;
}

/** Processes that no decoder of a pool is, and that have its limit of open files. */
async function strays(): Promise<readonly number[]> {
  const found: number[] = [];
  for (const name of await readdir('/proc')) {
    const limits = await readFile(`/proc/${name}/limits`, 'latin1').catch(() => '');
    const status = await readFile(`/proc/${name}/status`, 'latin1').catch(() => '');
    const isFrozen = /^Max open files +0 +0 /m.test(limits);
    if (isFrozen && /^PPid:\s*1$/m.test(status)) found.push(Number(name));
  }
  return found;
}

describe('Code that a file has brought into a decoder', () => {
  before(function () {
    if (process.platform !== 'linux') skipAloud(this, 'needs Linux');
    if (!isInstalled('cc')) skipAloud(this, 'no compiler of C is installed');
  });

  beforeEach(async () => {
    folder = await temporaryFolder();
    trigger = join(folder.path, 'now');
  });

  afterEach(() => folder.remove());

  it('leaves no process behind, not even one in a session of its own without a parent', async function () {
    if (!isRoot) skipAloud(this, 'the object waits until root has become another user');
    const before = await strays();
    const pool = decoderPool({
      program: await decoderWith('leavesProcess'),
      slots: 1,
      kept: 1,
      renditions: 1,
      endStrays,
    });
    await pool.start();
    writeFileSync(trigger, '');
    const left = await eventually(strays, (pids) => pids.some((pid) => !before.includes(pid)));
    const [stray = 0] = left.filter((pid) => !before.includes(pid));
    expect(isAlive(stray)).to.equal(true);
    await pool.stop();

    expect(await eventually(() => !isAlive(stray), Boolean)).to.equal(true);
  });

  for (const phase of ['before', 'during', 'idle'] satisfies readonly Phase[]) {
    for (const asRoot of [true, false]) {
      // As "nobody" it would stop the decoders of other tests, too.
      const attack = asRoot ? 'stops the service of root' : 'stops all processes of its ordinary user';
      const time = phase === 'idle' ? 'while it is idle' : `${phase} the first job`;
      it(`that ${attack} ${time} takes no decoder for good`, async function () {
        if (asRoot && !isRoot) skipAloud(this, 'needs root');
        if (!asRoot && !canBecomeAnotherUser()) skipAloud(this, 'root cannot become another user');
        const program = await decoderWith(asRoot ? 'stopsParent' : 'stopsProcesses');
        if (!asRoot && isRoot) chownSync(folder.path, OTHER_USER, OTHER_USER);

        const run = startScript(MAIN, [program, trigger, phase], {
          cwd: folder.path,
          through: asRoot ? [] : AS_ANOTHER_USER,
          env: { HOME: folder.path },
        });
        const outcome = JSON.parse(await run.line((line) => line)) as Outcome;

        expect(outcome, run.output).to.deep.equal({ decoded: 2, isReady: true, left: 0 });
      });
    }
  }
});
