import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { randomNumbers } from '../support/fixtures/random-numbers.ts';
import { Fuse, keepBusy, Ledger, noise, uploadNew } from '../support/http/busy-clients.ts';
import { sha256Of } from '../support/http/catalog-client.ts';
import { ServiceFolder } from '../support/servers/service-folder.ts';
import {
  databaseFile,
  type Environment,
  type Exit,
  type RunningService,
} from '../support/servers/service-process.ts';
import { skipAloud } from '../support/skipped/skip-aloud.ts';
import { guarded } from '../support/time/guarded.ts';

const BUSY_THREAD = join(import.meta.dirname, '../support/servers/busy-thread.cjs');
/** Runs the program as process 1 of a container, as far as signals are concerned. */
const AS_PROCESS_1 = ['unshare', '--pid', '--fork', '--mount-proc', '--kill-child'];
const CLIENTS = 4;
const UPLOADS = 30;

describe('the built service, stopping while a native thread is busy for hours', () => {
  let folder: ServiceFolder;

  before(async () => {
    folder = await ServiceFolder.open();
  });

  afterEach(() => folder.stopAll());

  after(() => folder?.close());

  async function startBusy(env: Environment, through: readonly string[] = []): Promise<RunningService> {
    const options = { NODE_OPTIONS: `--require=${BUSY_THREAD}`, SHUTDOWN_GRACE_SECONDS: '0', ...env };
    const service = await folder.start(options, { through });
    signal(service, 'SIGUSR2');
    await service.process.line((line) => (line.includes('a thread is busy') ? true : undefined));
    return service;
  }

  /** Signals the service itself, which is a child of the started process with `AS_PROCESS_1`. */
  function signal({ process: { pid } }: RunningService, name: NodeJS.Signals): void {
    const [child] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ');
    const isWrapped = readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === AS_PROCESS_1[0];
    process.kill(isWrapped ? Number(child) : pid, name);
  }

  async function stop(service: RunningService, name: NodeJS.Signals): Promise<Exit> {
    signal(service, name);
    return await guarded(service.process.exited, () => `the end of the service\n${service.process.output}`);
  }

  for (const name of ['SIGTERM', 'SIGINT'] as const) {
    it(`ends by ${name}, logs it, and has closed its database`, async () => {
      const service = await startBusy({});

      expect(await stop(service, name)).to.deep.equal({ code: null, signal: name });
      expect(service.process.stdout).to.include('ended by the signal');
      expect(existsSync(`${databaseFile(folder.path)}-wal`)).to.equal(false);
      expect(service.process.stderr).to.equal('');
    });
  }

  it('ends if that thread is the only one and blocks closing the database', async () => {
    const service = await startBusy({ UV_THREADPOOL_SIZE: '1' });

    expect(await stop(service, 'SIGTERM')).to.deep.equal({ code: null, signal: 'SIGTERM' });
  });

  it('ends as process 1 of a container, where signals have no default action', async function () {
    const [command = '', ...args] = AS_PROCESS_1;
    if (spawnSync(command, [...args, 'true']).status !== 0) {
      skipAloud(this, 'process namespaces are not available');
    }
    const service = await startBusy({}, AS_PROCESS_1);

    const { code, signal } = await stop(service, 'SIGTERM');
    expect([code, signal]).to.not.deep.equal([0, null]);
  });

  for (const grace of ['0', '1']) {
    it(`keeps every acknowledged upload with a grace period of ${grace} s`, async () => {
      const ledger = new Ledger();
      const service = await startBusy({ SHUTDOWN_GRACE_SECONDS: grace });
      const fuse = new Fuse(() => signal(service, 'SIGTERM'), UPLOADS);
      const shift = {
        isOver: () => fuse.hasBlown,
        isExcused: () => fuse.hasBlown,
        onStep: () => fuse.burn(),
      };
      const clients = Array.from({ length: CLIENTS }, async (_, index) => {
        const client = { catalog: folder.client(service), random: randomNumbers(index), ledger };
        await keepBusy(client, () => uploadNew(noise), shift);
      });
      await Promise.all(clients);
      expect(await service.process.exited).to.deep.equal({ code: null, signal: 'SIGTERM' });

      const catalog = folder.client(await folder.start());
      expect(ledger.kept.size).to.be.at.least(UPLOADS);
      for (const [id, sha256] of ledger.kept) {
        expect(await sha256Of(await catalog.file(id)), `bytes of image ${id}`).to.equal(sha256);
      }
    });
  }
});
