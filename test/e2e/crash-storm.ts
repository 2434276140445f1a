import { randomInt } from 'node:crypto';
import { watch } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { expect } from 'chai';
import { DEMO_CLIENT } from '../../demo/demo-client.ts';
import { startIdentityProvider } from '../../demo/identity-provider.ts';
import {
  type Act,
  type BusyClient,
  deleteOne,
  Fuse,
  keepBusy,
  Ledger,
  noise,
  type Picture,
  readOne,
  repeatUnderKey,
  sendUnderKey,
  stallUpload,
  uploadNew,
  uploadNewUnderKey,
} from '../support/busy-clients.ts';
import { CatalogClient, type ImageRecord, requestToken, sha256Of } from '../support/catalog-client.ts';
import { randomNumbers } from '../support/random-numbers.ts';
import {
  blobFolder,
  type Environment,
  type NodeProcess,
  type RunningService,
  renditionFolder,
  spawnCommand,
  stagingFolder,
  startService,
  temporaryFolder,
} from '../support/service-process.ts';

export interface StormOptions {
  readonly rounds: number;
  /** Repeats the choices of a run; the interleaving is the machine's and cannot be repeated. */
  readonly seed: number;
  /** The catalog is kept here. */
  readonly folder: string;
  /** Told after each round. */
  readonly onRound?: (round: number, figures: StormFigures) => void;
}

/** What a storm has done, for those who want to know whether it was one. */
export interface StormFigures {
  readonly uploads: number;
  readonly deletes: number;
  readonly reads: number;
  readonly replays: number;
  readonly kills: number;
  readonly unanswered: number;
  /** Keys that were sent again after a kill, because their upload had no answer. */
  readonly retries: number;
  /** What the kills have left behind, and the sweeper has taken. */
  readonly stagedFilesLeft: number;
  readonly blobsSwept: number;
  readonly imageChecks: number;
}

const CLIENTS = 6;
/** The catalog grows up to this many images; from there on deletes keep up with uploads. */
const IMAGES = 60;
/** In every so many rounds the clients wait until the sweeper has put everything in order. */
const SETTLE_EVERY = 5;
/** Two looks, the grace apart, after the blob is older than the grace; the rest is for busy machines. */
const MAX_SWEEPS = 15;

const SWEEPER = { SWEEP_INTERVAL_SECONDS: '1', SWEEP_GRACE_SECONDS: '1' };

/**
 * Clients that upload, delete and read, and services that are killed under them: in every other round there are two on
 * one SQLite file and one blob folder, of which one or both are killed.
 *
 * @throws {Error} where a promise is broken
 */
export async function runCrashStorm(options: StormOptions): Promise<StormFigures> {
  const identityProvider = await startIdentityProvider({ ...DEMO_CLIENT, port: 0 });
  const storm = new Storm(options, identityProvider.issuer);
  try {
    for (let round = 1; round <= options.rounds; round += 1) {
      await naming(`round ${round} of seed ${options.seed}`, () => storm.round(round));
      options.onRound?.(round, storm.figures);
    }
    await naming(`the end of seed ${options.seed}`, () => storm.end());
    return storm.figures;
  } finally {
    await storm.abort();
    await identityProvider.close();
  }
}

class Storm {
  private readonly ledger = new Ledger();
  private readonly random: () => number;
  private readonly env: Environment;
  private services: readonly RunningService[] = [];
  private token = '';
  private kills = 0;
  private retries = 0;
  private stagedFilesLeft = 0;
  private blobsSwept = 0;
  private imageChecks = 0;

  constructor(
    private readonly options: StormOptions,
    private readonly issuer: string,
  ) {
    this.random = randomNumbers(options.seed);
    this.env = { IDP_DOMAIN: issuer, IDP_AUDIENCE: DEMO_CLIENT.audience, ...SWEEPER };
  }

  get figures(): StormFigures {
    const { kept, deleted, reads, replays, unanswered } = this.ledger;
    const { kills, retries, stagedFilesLeft, blobsSwept, imageChecks } = this;
    return {
      uploads: kept.size + deleted.size,
      deletes: deleted.size,
      reads,
      replays,
      kills,
      unanswered,
      retries,
      stagedFilesLeft,
      blobsSwept,
      imageChecks,
    };
  }

  async round(number: number): Promise<void> {
    this.token = await requestToken(this.issuer, DEMO_CLIENT);
    await this.bringUp(number % 2 === 0 ? 2 : 1);
    await this.retryUnfinished();
    await this.check();
    if (number % SETTLE_EVERY === 0) await this.settle();
    await this.workUntilKilled();
    // The survivor, if there is one, takes the keys of the killed over at once.
    if (this.services.length > 0) await this.retryUnfinished();
  }

  async end(): Promise<void> {
    await this.bringUp(2);
    await this.retryUnfinished();
    await this.check();
    await this.settle();
    await this.check();
    for (const id of this.ledger.deleted) {
      expect((await this.client().get(id)).status, `deleted image ${id}`).to.equal(404);
    }
    for (const { process } of this.services) {
      expect(await process.stop('SIGTERM')).to.deep.equal({ code: 0, signal: null });
      this.account(process);
    }
    this.services = [];
    const verify = spawnCommand(['verify'], { folder: this.options.folder });
    expect(await verify.exited, verify.output).to.deep.equal({ code: 0, signal: null });
    expect(verify.stdout).to.equal('');
  }

  async abort(): Promise<void> {
    for (const { process } of this.services) await process.stop('SIGKILL');
  }

  private async bringUp(count: number): Promise<void> {
    const { folder } = this.options;
    const missing = count - this.services.length;
    const started = await Promise.all(
      Array.from({ length: missing }, () => startService({ folder, env: this.env })),
    );
    this.services = [...this.services, ...started];
    // Before it listens, a service removes what killed ones were taking in.
    if (missing > 0) expect(await readdir(stagingFolder(folder)), 'staged files').to.deep.equal([]);
  }

  /** Each upload under a key that got no answer is sent again, and answered now. */
  private async retryUnfinished(): Promise<void> {
    for (const upload of this.ledger.unfinished.values()) {
      await sendUnderKey(upload, this.client(), this.ledger);
      this.retries += 1;
    }
  }

  /** What the services say agrees with the ledger; of what was in doubt the ledger learns the outcome. */
  private async check(): Promise<void> {
    const lists = await Promise.all(this.services.map((service) => this.client(service).list()));
    const [listed = []] = lists;
    for (const other of lists) expect(other, 'list of the other process').to.deep.equal(listed);
    this.compare(listed);
    for (const { id, sha256 } of listed) {
      const file = await this.client().file(id);
      expect(file.status, `image ${id}`).to.equal(200);
      expect(await sha256Of(file), `bytes of image ${id}`).to.equal(sha256);
      this.imageChecks += 1;
    }
  }

  private compare(listed: readonly ImageRecord[]): void {
    const { kept, deleted, inDoubt, sent } = this.ledger;
    const shas = new Map(listed.map(({ id, sha256 }) => [id, sha256]));
    expect(shas.size, 'ids are unique').to.equal(listed.length);
    expect(new Set(shas.values()).size, 'each upload makes one image at most').to.equal(listed.length);
    for (const [id, sha256] of kept) expect(shas.get(id), `image ${id}`).to.equal(sha256);
    for (const [id, sha256] of shas) {
      expect(deleted.has(id), `deleted image ${id} is listed`).to.equal(false);
      expect(sent.has(sha256), `image ${id} is one that was sent`).to.equal(true);
      kept.set(id, sha256);
    }
    for (const id of inDoubt.keys()) if (!shas.has(id)) deleted.add(id);
    inDoubt.clear();
  }

  /** Nothing is left but what the records name, some sweeps later. */
  private async settle(): Promise<void> {
    const [service] = this.services;
    if (service === undefined) throw new TypeError('No service is up');
    for (let sweeps = 0; sweeps < MAX_SWEEPS; sweeps += 1) {
      if ((await this.leftovers()).length === 0) return;
      await nextSweep(service.process);
    }
    expect(await this.leftovers(), 'leftovers').to.deep.equal([]);
  }

  private async leftovers(): Promise<readonly string[]> {
    const { folder } = this.options;
    const recorded = new Set((await this.client().list()).map(({ filename }) => filename.slice(0, 36)));
    const [blobs, staged, renditions] = await Promise.all([
      readdir(blobFolder(folder), { recursive: true, withFileTypes: true }),
      readdir(stagingFolder(folder)),
      uuidsBelow(renditionFolder(folder)),
    ]);
    const files = blobs.filter((entry) => entry.isFile()).map(({ name }) => name);
    const unrecorded = [...files, ...renditions].filter((name) => !recorded.has(name));
    return [...new Set([...unrecorded, ...staged])];
  }

  /** Clients work as fast as they can, until one more step of progress kills services under them. */
  private async workUntilKilled(): Promise<void> {
    const { folder } = this.options;
    const doomed = this.chooseDoomed();
    const survivors = this.services.filter((service) => !doomed.includes(service));
    // Steps are answers or, where no answer is ever sent, changes in a folder: in that of the uploads under way, or in
    // that of the database and its write-ahead log.
    const [watched, maxSteps] = pick(this.random, [
      [undefined, 40],
      [stagingFolder(folder), 600],
      [folder, 200],
    ] as const);
    const fuse = new Fuse(doomed, 1 + Math.floor(this.random() * maxSteps));
    const watcher = watched === undefined ? undefined : watch(watched, () => fuse.burn());
    const stalled = doomed.map(({ url }) => stallUpload(url, this.token));
    try {
      await Promise.all(
        Array.from({ length: CLIENTS }, (_, index) => {
          const service = this.services[index % this.services.length];
          if (service === undefined) throw new TypeError('No service is up');
          return keepBusy(this.busyClient(service, fuse), chooseAct);
        }),
      );
    } finally {
      watcher?.close();
      for (const upload of stalled) upload.destroy();
    }
    for (const { process } of doomed) {
      expect(await process.exited, process.output).to.deep.equal({ code: null, signal: 'SIGKILL' });
      this.kills += 1;
      this.account(process);
    }
    this.services = survivors;
    this.stagedFilesLeft += (await readdir(stagingFolder(folder))).length;
  }

  private chooseDoomed(): readonly RunningService[] {
    const choice = this.random();
    if (this.services.length === 1 || choice < 0.5) return this.services;
    return this.services.slice(...(choice < 0.75 ? [0, 1] : [1, 2]));
  }

  private busyClient(service: RunningService, fuse: Fuse): BusyClient {
    const random = randomNumbers(this.random() * 2 ** 32);
    return { service, catalog: this.client(service), random, ledger: this.ledger, fuse };
  }

  private client(service = pick(this.random, this.services)): CatalogClient {
    return new CatalogClient(service.url, this.token);
  }

  private account({ stdout }: NodeProcess): void {
    for (const { blobs } of sweepsIn(stdout)) this.blobsSwept += blobs;
  }
}

/** 0.1 to 5 MB: as many small ones as large ones on a logarithmic scale. */
function picture(random: () => number): Promise<Picture> {
  const bytes = 100_000 * 50 ** random();
  return noise(random, bytes / 3);
}

function chooseAct({ random, ledger }: BusyClient): Act {
  const choice = random();
  const deletes = 0.3 * (ledger.kept.size / IMAGES);
  if (choice < deletes) return deleteOne;
  if (choice > 0.8) return random() < 0.7 ? readOne : repeatUnderKey;
  return random() < 0.4 ? uploadNewUnderKey(picture) : uploadNew(picture);
}

interface Sweep {
  readonly msg: 'swept';
  readonly blobs: number;
}

function sweepsIn(stdout: string): readonly Sweep[] {
  return stdout.split('\n').flatMap((line) => sweepIn(line) ?? []);
}

function sweepIn(line: string): Sweep | undefined {
  return line.includes('"msg":"swept"') ? (JSON.parse(line) as Sweep) : undefined;
}

/** When a sweep has ended that had not when this was called. */
async function nextSweep(service: NodeProcess): Promise<void> {
  let past = sweepsIn(service.stdout).length;
  await service.line((line) => {
    if (sweepIn(line) === undefined) return undefined;
    past -= 1;
    return past < 0 ? true : undefined;
  });
}

/** The images that have renditions. */
async function uuidsBelow(folder: string): Promise<readonly string[]> {
  const shards = await readdir(folder);
  return (await Promise.all(shards.map((shard) => readdir(join(folder, shard))))).flat();
}

function pick<T>(random: () => number, items: readonly T[]): T {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new TypeError('There is nothing to pick from');
  return item;
}

/** Says where it was that something failed. */
async function naming<T>(where: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new Error(`In ${where}: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { rounds: { type: 'string' }, seed: { type: 'string' } } });
  const rounds = Number(values.rounds ?? 500);
  const seed = Number(values.seed ?? randomInt(2 ** 32));
  const folder = await temporaryFolder();
  const started = Date.now();
  console.log(`crash storm: ${rounds} rounds, seed ${seed}, in ${folder.path}`);
  const onRound = (round: number, figures: StormFigures): void => {
    if (round % 10 === 0)
      console.log(
        `${Math.round((Date.now() - started) / 1000)} s, round ${round}: ${JSON.stringify(figures)}`,
      );
  };
  const figures = await runCrashStorm({ rounds, seed, folder: folder.path, onRound });
  console.log(`all promises kept after ${Math.round((Date.now() - started) / 1000)} s`);
  console.log(JSON.stringify(figures, undefined, 2));
  // Where something failed, the folder stays for whoever wants to know why.
  await folder.remove();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
