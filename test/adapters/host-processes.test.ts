import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { expect } from 'chai';
import { HostProcesses } from '../../src/adapters/system/host-processes.ts';
import { skipAloud } from '../support/skipped/skip-aloud.ts';

const SOURCE = new URL('../../src/adapters/system/host-processes.ts', import.meta.url).href;
const PROGRAM = `import { HostProcesses } from '${SOURCE}';
console.log(new HostProcesses().self);
setInterval(() => {}, 1000);`;

describe('HostProcesses', () => {
  const here = new HostProcesses();
  let another: ChildProcess;
  let name: string;

  before(async function () {
    if (!existsSync('/proc/self/stat')) {
      skipAloud(this, 'the system does not say when processes have started');
    }
    another = spawn(process.execPath, ['--import', 'tsx', '--input-type', 'module', '--eval', PROGRAM], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    [name] = (await once(createInterface({ input: another.stdout as NodeJS.ReadableStream }), 'line')) as [
      string,
    ];
  });

  after(() => {
    another?.kill();
  });

  it('sees itself run', () => {
    expect([here.isRunning(here.self), here.isGone(here.self)]).to.deep.equal([true, false]);
  });

  it('sees neither that a process runs nor that it is gone if another one has got its id', () => {
    const earlier = name.replace(/[0-9a-f]+$/, '0badcafe');

    expect([here.isRunning(earlier), here.isGone(earlier)]).to.deep.equal([false, false]);
  });

  it('sees nothing of a process on another machine', () => {
    const elsewhere = name.replace(/^[0-9a-f]+/, '0badcafe0bad');

    expect([here.isRunning(elsewhere), here.isGone(elsewhere)]).to.deep.equal([false, false]);
  });

  it('sees another process run, and that it has ended', async () => {
    expect([here.isRunning(name), here.isGone(name)]).to.deep.equal([true, false]);

    another.kill();
    await once(another, 'exit');

    expect([here.isRunning(name), here.isGone(name)]).to.deep.equal([false, true]);
  });
});
