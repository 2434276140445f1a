import { randomInt } from 'node:crypto';
import { watch } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { expect } from 'chai';
import { DEMO_CLIENT } from '../../demo/demo-client.ts';
import { type IdentityProvider, startIdentityProvider } from '../../demo/identity-provider.ts';
import { randomNumbers } from '../support/fixtures/random-numbers.ts';
import { FULL_STORMS } from '../support/full-storms.ts';
import {
  deleteOne,
  Fuse,
  keepBusy,
  Ledger,
  noise,
  stallUpload,
  uploadNew,
} from '../support/http/busy-clients.ts';
import { CatalogClient, requestToken, sha256Of } from '../support/http/catalog-client.ts';
import {
  type RunningService,
  stagingFolder,
  startService,
  temporaryFolder,
} from '../support/servers/service-process.ts';

const ROUNDS = FULL_STORMS ? 20 : 6;
const CLIENTS = 6;

describe('the built service, killed during requests', () => {
  // KILL_SEED repeats the choices of a run; the interleaving depends on the machine and cannot be repeated.
  const seed = Number(process.env.KILL_SEED ?? randomInt(2 ** 32));
  const ledger = new Ledger();
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let identityProvider: IdentityProvider;
  let token: string;
  let service: RunningService | undefined;
  let catalog: CatalogClient;
  let stagedFiles = 0;

  before(async () => {
    console.log(`      KILL_SEED=${seed}`);
    const random = randomNumbers(seed);
    folder = await temporaryFolder();
    identityProvider = await startIdentityProvider({ ...DEMO_CLIENT, port: 0 });
    token = await requestToken(identityProvider.issuer, DEMO_CLIENT);
    for (let round = 0; round < ROUNDS; round += 1) {
      await workUntilKilled(await start(), round, random);
      stagedFiles += (await readdir(stagingFolder(folder.path))).length;
    }
    service = await start();
    catalog = new CatalogClient(service.url, token);
  });

  after(async () => {
    await service?.process.stop('SIGKILL');
    await identityProvider?.close();
    await folder?.remove();
  });

  it('has been interrupted', () => {
    console.log(`      ${ledger.summary()}, ${stagedFiles} staged files of the killed processes`);
    expect(ledger.kept.size, 'acknowledged uploads').to.be.greaterThan(ROUNDS);
    expect(ledger.deleted.size, 'acknowledged deletes').to.be.greaterThan(0);
    expect(ledger.unanswered, 'requests in flight').to.be.greaterThan(ROUNDS);
    expect(stagedFiles, 'staged files').to.be.greaterThan(0);
  });

  it('still lists every acknowledged upload and returns its bytes', async () => {
    const listed = new Map((await catalog.list()).map(({ id, sha256 }) => [id, sha256]));

    for (const [id, sha256] of ledger.kept) {
      expect(listed.get(id), `image ${id}`).to.equal(sha256);
      expect(await sha256Of(await catalog.file(id)), `bytes of image ${id}`).to.equal(sha256);
    }
  });

  it('keeps nothing of an image whose delete was acknowledged', async () => {
    const listed = new Set((await catalog.list()).map(({ id }) => id));

    for (const id of ledger.deleted) {
      expect(listed.has(id), `image ${id}`).to.equal(false);
      expect((await catalog.get(id)).status, `image ${id}`).to.equal(404);
    }
  });

  it('has the bytes of every listed image, acknowledged or not', async () => {
    for (const { id, sha256 } of await catalog.list()) {
      const file = await catalog.file(id);

      expect(file.status, `image ${id}`).to.equal(200);
      expect(await sha256Of(file), `bytes of image ${id}`).to.equal(sha256);
      expect(ledger.sent.has(sha256), `image ${id} is one that was sent`).to.equal(true);
    }
  });

  it('has removed all staged files of the killed processes', async () => {
    expect(await readdir(stagingFolder(folder.path))).to.deep.equal([]);
  });

  async function start(): Promise<RunningService> {
    return await startService({
      folder: folder.path,
      env: { IDP_DOMAIN: identityProvider.issuer, IDP_AUDIENCE: DEMO_CLIENT.audience },
    });
  }

  /** Clients upload and delete as fast as possible until one more step of progress kills the service. */
  async function workUntilKilled(
    running: RunningService,
    round: number,
    random: () => number,
  ): Promise<void> {
    service = running;
    // In every other round, changes in the staging area are steps as well. They happen between the writes to disk, when
    // no response is sent, for example after a blob is renamed and before its record is stored.
    const watched = round % 2 === 1;
    const steps = 1 + Math.floor(random() * (watched ? 150 : 30));
    const fuse = new Fuse(() => running.process.kill('SIGKILL'), steps);
    const hasBlown = (): boolean => fuse.hasBlown;
    const watcher = watched ? watch(stagingFolder(folder.path), () => fuse.burn()) : undefined;
    const stalled = stallUpload(running.url, token);
    try {
      await Promise.all(
        Array.from({ length: CLIENTS }, () =>
          keepBusy(
            {
              catalog: new CatalogClient(running.url, token),
              random: randomNumbers(random() * 2 ** 32),
              ledger,
            },
            (client) => (client.random() < 0.3 ? deleteOne : uploadNew(noise)),
            { isOver: hasBlown, isExcused: hasBlown, onStep: () => fuse.burn() },
          ),
        ),
      );
    } finally {
      watcher?.close();
      stalled.destroy();
    }
    expect(await running.process.exited).to.deep.equal({ code: null, signal: 'SIGKILL' });
  }
});
