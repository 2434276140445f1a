import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { constants, createReadStream, existsSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { flushLog } from '../../src/infrastructure/start/flush-log.ts';
import {
  type LogDestination,
  openLogDestination,
} from '../../src/infrastructure/start/open-log-destination.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/fixtures/temporary-folder.ts';
import { skipAloud } from '../support/skipped/skip-aloud.ts';

const MAX_WAITING_BYTES = 16 * 1024 * 1024;

const LINE = `${'x'.repeat(1023)}\n`;

describe('The destination of the log', () => {
  let folder: TemporaryFolder;
  let path: string;

  beforeEach(async () => {
    folder = await temporaryFolder();
    path = join(folder.path, 'log');
  });

  afterEach(() => folder.remove());

  async function close(destination: LogDestination): Promise<void> {
    destination.end();
    await once(destination, 'close');
  }

  it('buffers no more than its limit while no process reads', async () => {
    execFileSync('mkfifo', [path]);
    const pipe = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
    const destination = openLogDestination(pipe);
    let lost = 0;
    destination.on('drop', (line: string) => {
      lost += line.length;
    });

    for (let written = 0; written < 2 * MAX_WAITING_BYTES; written += LINE.length) destination.write(LINE);

    createReadStream(path).resume();
    await close(destination);
    expect(lost).to.be.within(MAX_WAITING_BYTES * 0.9, MAX_WAITING_BYTES + LINE.length);
  });

  it('is written out although the process stands still for longer than it waits for a reader', async () => {
    const destination = openLogDestination(openSync(path, 'w'));
    destination.write('one\n');
    const flushed = flushLog(destination);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_100);

    expect(await flushed).to.equal(true);
    expect(await readFile(path, 'utf8')).to.equal('one\n');
    await close(destination);
  });

  it('is written out before the process ends, with a line that comes while another is being written', async () => {
    const destination = openLogDestination(openSync(path, 'w'));
    destination.write('one\n');
    destination.flush();
    destination.write('two\n');

    expect(await flushLog(destination)).to.equal(true);
    expect(await readFile(path, 'utf8')).to.equal('one\ntwo\n');
    await close(destination);
  });

  it('does not keep the process running if it cannot be written', async function () {
    if (!existsSync('/dev/full')) skipAloud(this, 'no /dev/full');
    const destination = openLogDestination(openSync('/dev/full', 'w'));
    destination.write(LINE);

    await flushLog(destination);
    // pino does this at exit.
    destination.flushSync();
    destination.destroy();
  });
});
