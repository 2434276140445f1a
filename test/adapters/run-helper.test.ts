import { expect } from 'chai';
import { HelperInterrupted, runHelper } from '../../src/adapters/decoder/run-helper.ts';
import { rejection } from '../support/fixtures/rejection.ts';
import { isAlive } from '../support/servers/process-tree.ts';
import { skipAloud } from '../support/skipped/skip-aloud.ts';
import { eventually } from '../support/time/eventually.ts';

const TIMEOUT_MS = 200;

describe('A helper program', () => {
  before(function () {
    if (process.platform === 'win32') skipAloud(this, 'needs a shell');
  });

  it('is killed after its time, also if a signal has stopped it', async () => {
    const error = await rejection(runHelper('sh', ['-c', 'kill -STOP $$'], { timeoutMs: TIMEOUT_MS }));

    expect(error).to.be.instanceOf(HelperInterrupted);
    expect(error.message).to.equal('sh was killed, because it did not end in time');
  });

  it('is killed when its caller stops, whatever it does', async () => {
    const stopping = new AbortController();
    const running = rejection(runHelper('sh', ['-c', 'kill -STOP $$'], { stopped: stopping.signal }));
    stopping.abort();

    expect((await running).message).to.equal('sh was stopped');
  });

  it('leaves no process behind', async () => {
    const seen = await rejection(runHelper('sh', ['-c', 'echo $$ >&2; exit 3']));
    const own = Number(/^\d+$/m.exec(seen.message)?.[0]);

    expect(await eventually(() => !isAlive(own), Boolean)).to.equal(true);
  });

  it('says nothing about the system if another process has ended it', async () => {
    expect(await rejection(runHelper('sh', ['-c', 'kill -TERM $$']))).to.be.instanceOf(HelperInterrupted);
  });

  it('says that the system forbids it if it fails', async () => {
    expect(await rejection(runHelper('sh', ['-c', 'exit 1']))).to.not.be.instanceOf(HelperInterrupted);
    expect(await rejection(runHelper('no-such-program', []))).to.not.be.instanceOf(HelperInterrupted);
  });
});
