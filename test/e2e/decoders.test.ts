import { chownSync } from 'node:fs';
import { expect } from 'chai';
import { costlyJpeg } from '../support/fixtures/costly-jpeg.ts';
import { jpegPicture } from '../support/fixtures/pictures.ts';
import { temporaryFolder } from '../support/fixtures/temporary-folder.ts';
import { CatalogClient } from '../support/http/catalog-client.ts';
import {
  aliveOf,
  allDecodersOf,
  busyDecodersOf,
  decodersOf,
  isStartingDecoder,
  killOthers,
} from '../support/servers/decoder-processes.ts';
import { processIdsOf } from '../support/servers/process-tree.ts';
import { RunningCatalog, type RunningCatalogOptions } from '../support/servers/running-catalog.ts';
import { AS_ANOTHER_USER, canBecomeAnotherUser, OTHER_USER } from '../support/servers/without-powers.ts';
import { skipAloud } from '../support/skipped/skip-aloud.ts';
import { eventually } from '../support/time/eventually.ts';

const ENDED_BY_KILL = { code: null, signal: 'SIGKILL' };

let catalog: RunningCatalog;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;

async function start(options: RunningCatalogOptions = {}): Promise<RunningCatalog> {
  catalog = await RunningCatalog.start({ folder: folder.path, ...options });
  await allReady();
  return catalog;
}

/** All decoders of the service have started. */
async function allReady(): Promise<readonly number[]> {
  return await eventually(
    () => decodersOf(catalog.process.pid),
    (pids) => pids.length === DECODERS,
  );
}

const DECODERS = 3;
const WITH_DECODERS = { DECODERS: String(DECODERS), DECODERS_IDLE: String(DECODERS) };

/** On two cores without other work, a second of CPU: a decoder is ended after 30 s by the clock. */
const SIDE = 2_400;

/** Uploads a picture that takes a second; resolves when a decoder works on it. */
async function beginCostlyUpload(): Promise<{ readonly sent: Promise<Response | undefined> }> {
  const begun = new Map<number, number>();
  const { pid } = catalog.process;
  busyDecodersOf(pid, begun);
  const picture = new Uint8Array(costlyJpeg('one', SIDE));
  const sent = catalog
    .client()
    .upload(picture, 'costly.jpg')
    .catch(() => undefined);
  await eventually(
    () => busyDecodersOf(pid, begun).length,
    (busy) => busy > 0,
  );
  return { sent };
}

interface Outcome {
  readonly status: number | undefined;
  /** How many responses have come before this one. */
  readonly place: number;
}

function placesOf(outcomes: readonly Outcome[]): readonly number[] {
  return outcomes.map(({ place }) => place).toSorted((a, b) => a - b);
}

async function endOf(pids: readonly number[]): Promise<readonly number[]> {
  return await eventually(
    () => aliveOf(pids),
    (alive) => alive.length === 0,
  );
}

const isRoot = process.getuid?.() === 0;

describe('The decoders of the built service', () => {
  before(function () {
    if (process.platform !== 'linux') skipAloud(this, 'needs Linux');
  });

  beforeEach(async () => {
    folder = await temporaryFolder();
  });

  afterEach(async () => {
    await catalog?.stop();
    await folder?.remove();
  });

  describe('end when it is killed', endOfKilledService);

  it('let uploads of others through while one subject uploads six costly files', async () => {
    await start({ env: WITH_DECODERS });
    const photo = new Uint8Array(await jpegPicture(640, 480));
    const bob = new CatalogClient(catalog.url, catalog.token({ sub: 'bob' }));
    let responses = 0;
    const outcomeOf = async (sent: Promise<Response | undefined>): Promise<Outcome> => {
      const status = (await sent)?.status;
      responses += 1;
      return { status, place: responses - 1 };
    };
    const { sent } = await beginCostlyUpload();
    const costly = ['two', 'three', 'four', 'five', 'six'].map((name) =>
      catalog.client().upload(new Uint8Array(costlyJpeg(name, SIDE)), 'costly.jpg'),
    );
    const [costlyOnes, others] = await Promise.all([
      Promise.all([sent, ...costly].map(outcomeOf)),
      Promise.all([1, 2, 3].map(() => outcomeOf(bob.upload(photo, 'photo.jpg')))),
    ]);
    expect(others.map(({ status }) => status)).to.deep.equal([201, 201, 201]);
    // They wait for the pictures that have begun, and for no other.
    expect(placesOf(others).at(-1)).to.be.below(placesOf(costlyOnes)[DECODERS] ?? 0);
    for (const { status } of costlyOnes) expect(status).to.be.oneOf([201, 422, 503]);
    expect(await catalog.leftovers()).to.deep.equal([]);
    expect(await allReady()).to.have.length(DECODERS);
    expect(catalog.errors()).to.deep.equal([]);
  });

  it('end at the stop of the service, which does not wait for what they decode', async () => {
    await start({ env: { ...WITH_DECODERS, SHUTDOWN_GRACE_SECONDS: '0' } });
    const pids = await allReady();
    await beginCostlyUpload();

    expect(await catalog.process.stop('SIGTERM')).to.deep.equal({ code: 0, signal: null });
    expect(await endOf(pids)).to.deep.equal([]);
    expect(catalog.process.stderr).to.equal('');
  });

  it('do not hold up the stop of the service if one hangs while it starts', async () => {
    catalog = await RunningCatalog.start({ folder: folder.path, env: { SHUTDOWN_GRACE_SECONDS: '0' } });
    process.kill(await startingDecoder(), 'SIGSTOP');

    expect(await catalog.process.stop('SIGTERM')).to.deep.equal({ code: 0, signal: null });
  });

  it('are started once more if the first of them does not start', async () => {
    catalog = await RunningCatalog.start({ folder: folder.path, env: { DECODERS_IDLE: '1' } });
    process.kill(await startingDecoder(), 'SIGKILL');

    expect(
      await catalog.process.line((line) => (line.includes('decoders started') ? 'yes' : undefined)),
    ).to.equal('yes');
    expect(catalog.logged(({ msg }) => msg === 'decoder not started')).to.have.length(1);
  });

  it('start for what needs one; all else is served while none runs, and while none starts', async () => {
    catalog = await RunningCatalog.start({
      folder: folder.path,
      env: { DECODERS: '2', DECODERS_IDLE: '0', MANAGEMENT_PORT: '0' },
    });
    const { pid } = catalog.process;
    const photo = new Uint8Array(await jpegPicture(640, 480));
    const { id } = (await (await catalog.client().upload(photo, 'photo.jpg')).json()) as {
      readonly id: number;
    };
    const rendition = await catalog.client().file(id, '?width=64');
    const etag = rendition.headers.get('etag') ?? '';
    expect(rendition.status).to.equal(200);
    const end = killOthers(pid, 0);
    await eventually(
      () => allDecodersOf(pid),
      (pids) => pids.length === 0,
    );
    const get = async (query: string, headers: Readonly<Record<string, string>> = {}): Promise<number> => {
      const authorization = `Bearer ${catalog.token()}`;
      const url = `${catalog.url}api/image/${id}/file${query}`;
      return (await fetch(url, { headers: { ...headers, authorization } })).status;
    };
    const statuses = [
      await get(''),
      await get('?width=64'),
      await get('?width=64', { 'If-None-Match': etag }),
    ];
    statuses.push(await get('?width=128'), (await catalog.client().upload(photo, 'again.jpg')).status);
    statuses.push((await fetch(`${managementUrl()}readyz`)).status);
    end();

    expect(statuses).to.deep.equal([200, 200, 304, 503, 503, 200]);
    expect(
      await eventually(
        () => get('?width=128'),
        (status) => status === 200,
      ),
    ).to.equal(200);
  });
});

/** The first decoder, which starts after the service listens. */
async function startingDecoder(): Promise<number> {
  const [pid] = await eventually(
    () => processIdsOf(catalog.process.pid).filter(isStartingDecoder),
    (pids) => pids.length > 0,
  );
  return pid as number;
}

function managementUrl(): string {
  const [line] = catalog.logged(({ msg }) => msg === 'management listening');
  return `http://127.0.0.1:${String(line?.['port'])}/`;
}

function endOfKilledService(): void {
  async function kill(pids: readonly number[]): Promise<readonly number[]> {
    expect(await catalog.process.stop('SIGKILL')).to.deep.equal(ENDED_BY_KILL);
    return await endOf(pids);
  }

  it('while one decodes and the others are idle', async () => {
    await start({ env: WITH_DECODERS });
    const pids = await allReady();
    await beginCostlyUpload();

    expect(await kill(pids)).to.deep.equal([]);
  });

  // A decoder of root becomes another user, and the kernel then forgets that it ends with its parent.
  it('while they are stopped, if it does not run as root', async function () {
    if (!canBecomeAnotherUser()) skipAloud(this, 'root cannot become another user with setpriv');
    if (isRoot) chownSync(folder.path, OTHER_USER, OTHER_USER);
    await start({ env: { ...WITH_DECODERS, HOME: folder.path }, through: AS_ANOTHER_USER });
    const pids = await allReady();
    for (const pid of pids) process.kill(pid, 'SIGSTOP');

    expect(await kill(pids)).to.deep.equal([]);
  });
}
