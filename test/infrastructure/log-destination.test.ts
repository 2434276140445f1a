import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { constants, createReadStream, existsSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { flushLog } from '../../src/infrastructure/start/flush-log.ts';
import { openLogDestination } from '../../src/infrastructure/start/open-log-destination.ts';
import { temporaryFolder } from '../support/fixtures/temporary-folder.ts';
import { skipAloud } from '../support/skipped/skip-aloud.ts';

const MAX_WAITING_BYTES = 16 * 1024 * 1024;

const LINE = `${'x'.repeat(1023)}\n`;

describe('The destination of the log', () => {
  it('buffers no more than its limit while no process reads', async () => {
    const folder = await temporaryFolder();
    const path = join(folder.path, 'pipe');
    execFileSync('mkfifo', [path]);
    const pipe = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
    const destination = openLogDestination(pipe);
    let lost = 0;
    destination.on('drop', (line: string) => {
      lost += line.length;
    });

    for (let written = 0; written < 2 * MAX_WAITING_BYTES; written += LINE.length) destination.write(LINE);

    createReadStream(path).resume();
    destination.end();
    await once(destination, 'close');
    await folder.remove();
    expect(lost).to.be.within(MAX_WAITING_BYTES * 0.9, MAX_WAITING_BYTES + LINE.length);
  });

  it('is written out before the process ends', async () => {
    const folder = await temporaryFolder();
    const path = join(folder.path, 'log');
    const destination = openLogDestination(openSync(path, 'w'));
    destination.write(LINE);

    await flushLog(destination);

    expect(await readFile(path, 'utf8')).to.equal(LINE);
    destination.end();
    await once(destination, 'close');
    await folder.remove();
  });

  it('is written out with a line that comes while another is being written', async () => {
    const folder = await temporaryFolder();
    const path = join(folder.path, 'log');
    const destination = openLogDestination(openSync(path, 'w'));
    destination.write('one\n');
    destination.flush();
    destination.write('two\n');

    await flushLog(destination);

    expect(await readFile(path, 'utf8')).to.equal('one\ntwo\n');
    destination.end();
    await once(destination, 'close');
    await folder.remove();
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
