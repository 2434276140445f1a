import { watch } from 'node:fs';
import { expect } from 'chai';
import { ReplicaCluster } from '../support/clusters/replica-cluster.ts';
import { SqliteCluster } from '../support/clusters/sqlite-cluster.ts';
import type { Progress, StormCluster, Victim } from '../support/clusters/storm-cluster.ts';
import { randomNumbers } from '../support/fixtures/random-numbers.ts';
import { jwk, rsaKey, signToken } from '../support/fixtures/tokens.ts';
import {
  type Act,
  type BusyClient,
  deleteOne,
  editOne,
  Follower,
  Fuse,
  insist,
  keepBusy,
  Ledger,
  noise,
  type Picture,
  readOne,
  repeatUnderKey,
  type Shift,
  sendUnderKey,
  stallUpload,
  uploadNew,
  uploadNewByTicket,
  uploadNewUnderKey,
} from '../support/http/busy-clients.ts';
import { CatalogClient, type ImageRecord, sha256Of } from '../support/http/catalog-client.ts';
import { PagedCopy, StreamedCopy } from '../support/http/feed-copies.ts';
import { contentOf, FullSpace, type SpaceContent } from '../support/http/full-space.ts';
import { eraseOne, KnownNames, restoreOne } from '../support/http/trash-and-names.ts';
import { DecoderStrikes } from '../support/servers/decoder-strikes.ts';
import { type Environment, type NodeProcess } from '../support/servers/service-process.ts';
import { webUrlOf } from '../support/servers/signed-links.ts';
import { publish, SigningKeyServer } from '../support/servers/signing-key-server.ts';

export interface StormOptions {
  readonly rounds: number;
  /** Repeats the choices of a run; the interleaving depends on the machine and cannot be repeated. */
  readonly seed: number;
  /** @param env what services need besides their storage */
  readonly openCluster: (env: Environment) => Promise<StormCluster>;
  /** The range of picture sizes: small and large ones equally often on a logarithmic scale. */
  readonly pictureBytes: readonly [number, number];
  /** Called after each round. */
  readonly onRound?: (round: number, figures: StormFigures) => void;
}

/** What a storm has done, to judge whether it tested enough. */
export type StormFigures = Storm['figures'];

const AUDIENCE = 'https://images.example.test/api';
const KEY = rsaKey('crash-storm');
const TOKEN_SECONDS = 24 * 3600;
const SPACE_CLAIM = 'org_id';
const OPEN = 'open';
const FULL = 'full';
const FULL_IMAGES = 5;
const CLIENTS_OF_FULL = 2;

const CLIENTS = 6;
/** The maximum number of images in the catalog; above it, deletes keep up with uploads. */
const IMAGES = 60;
/** Part of the requests. */
const EDITS = 0.15;
const TRASH_AND_NAMES = 0.35;
/** Edited images that each check looks for. */
const SEARCHES = 5;
/** The number of rounds after which the clients wait until the sweeper has removed all orphaned files. */
const SETTLE_EVERY = 5;
/** Two looks, the grace period apart, after the blob is older than the grace period; the rest is for busy machines. */
const MAX_SWEEPS = 15;
/** Judges by responses only, without a folder. */
const ANSWERS: Progress = { maxSteps: 40 };

const DECODERS = 3;

/** For uploads by ticket, and public names. */
const WEB = { WEB_HOST: '127.0.0.1', WEB_PORT: '0', PUBLISH_NAMES: 'true' };

/** No image of a storm is old enough to be erased. */
const TRASH = { TRASH_DAYS: '30' };

const SWEEPER = { SWEEP_INTERVAL_SECONDS: '1', SWEEP_GRACE_SECONDS: '1' };

/**
 * Clients that upload, delete and read, while services and storages are killed.
 *
 * @throws {Error} if the catalog loses an acknowledged change or does not recover
 */
export async function runCrashStorm(options: StormOptions): Promise<StormFigures> {
  const identityProvider = await SigningKeyServer.start(publish([jwk(KEY)]));
  try {
    const env = {
      IDP_DOMAIN: identityProvider.domain,
      IDP_AUDIENCE: AUDIENCE,
      SPACE_CLAIM,
      DECODERS: String(DECODERS),
      DECODERS_IDLE: String(DECODERS),
      ...WEB,
      ...TRASH,
      ...SWEEPER,
    };
    const cluster = await options.openCluster(env);
    try {
      return await new Storm(options, cluster, identityProvider.domain).run();
    } finally {
      await cluster.destroy();
    }
  } finally {
    await identityProvider.stop();
  }
}

class Storm {
  private readonly ledger = new Ledger();
  private readonly full: FullSpace;
  private readonly names = new KnownNames();
  private readonly follower = new Follower();
  private readonly pagedCopy = new PagedCopy();
  private readonly streamedCopy = new StreamedCopy();
  private readonly random: () => number;
  private readonly decoders: DecoderStrikes;
  private readonly makePicture: (random: () => number) => Promise<Picture>;
  private readonly kills: Record<Victim['kind'], number> = { service: 0, gateway: 0, database: 0 };
  private readonly processes = new Set<NodeProcess>();
  private readonly tokens: Readonly<Record<string, string>>;
  private retries = 0;
  private slowestRecovery = 0;
  private stagedFilesLeft = 0;
  private blobsSwept = 0;
  private imageChecks = 0;

  constructor(
    private readonly options: StormOptions,
    private readonly cluster: StormCluster,
    issuer: string,
  ) {
    this.tokens = { [OPEN]: tokenOf(issuer, OPEN), [FULL]: tokenOf(issuer, FULL) };
    this.random = randomNumbers(options.seed);
    this.decoders = new DecoderStrikes(randomNumbers(options.seed + 1), DECODERS);
    const [least, most] = options.pictureBytes;
    this.makePicture = (random) => noise(random, (least * (most / least) ** random()) / 3);
    this.full = new FullSpace(FULL_IMAGES, (random) => noise(random, least / 3));
  }

  async run(): Promise<StormFigures> {
    const { rounds, seed, onRound } = this.options;
    for (let round = 1; round <= rounds; round += 1) {
      await naming(`round ${round} of seed ${seed}`, () => this.round(round));
      onRound?.(round, this.figures);
    }
    await naming(`the end of seed ${seed}`, () => this.end(rounds + 1));
    return this.figures;
  }

  get figures() {
    const { kept, deleted, acknowledgedEdits, reads, replays, ticketUploads, unanswered, refused } =
      this.ledger;
    const { acknowledgedDeletes, acknowledgedRestores, erased } = this.ledger;
    const { sets, removals, uploads } = this.names;
    const { killed, stopped, slowestReturn } = this.decoders;
    return {
      uploads: kept.size + deleted.size,
      deletes: acknowledgedDeletes,
      restores: acknowledgedRestores,
      erasures: erased.size,
      names: { sets, removals, uploads },
      edits: acknowledgedEdits,
      reads,
      replays,
      ticketUploads,
      kills: { ...this.kills },
      decoders: { killed, stopped, slowestReturn },
      unanswered,
      /** Requests that got 503 while something was killed. */
      refused,
      /** The longest time, in ms, until a surviving service recovered. */
      slowestRecovery: Math.round(this.slowestRecovery),
      /** Keys that were sent again after a kill, because their upload got no response. */
      retries: this.retries,
      /** Orphaned files of killed processes that the sweeper has removed. */
      stagedFilesLeft: this.stagedFilesLeft,
      blobsSwept: this.blobsSwept,
      imageChecks: this.imageChecks,
      /** Uploads that the limit of a space has refused. */
      quotaRefusals: this.full.refusals,
    };
  }

  private async round(number: number): Promise<void> {
    await this.bringUp(number);
    await this.retryUnfinished();
    await this.check();
    if (number % SETTLE_EVERY === 0) await this.settle();
    await this.workThroughKills();
    // The surviving services take over the keys of the killed ones at once.
    if (this.cluster.services.length > 0) await this.retryUnfinished();
  }

  private async end(number: number): Promise<void> {
    await this.bringUp(number);
    await this.retryUnfinished();
    await this.check();
    await this.full.fill(this.clientOfFull(pick(this.random, this.cluster.entrances)), (act) =>
      insist(act, this.cluster.patienceMs),
    );
    await this.settle();
    await this.check();
    for (const id of this.ledger.deleted) {
      expect((await this.client().get(id)).status, `deleted image ${id}`).to.equal(404);
    }
    for (const { process } of this.cluster.services) {
      expect(await process.stop('SIGTERM')).to.deep.equal({ code: 0, signal: null });
      this.account(process);
    }
    // It counts the images of each space again.
    expect(await this.command('verify')).to.equal('');
  }

  /** Resolves to what the command has printed. */
  private async command(...args: readonly string[]): Promise<string> {
    const command = this.cluster.run(args);
    expect(await command.exited, command.output).to.deep.equal({ code: 0, signal: null });
    return command.stdout;
  }

  private async bringUp(round: number): Promise<void> {
    await this.cluster.bringUp(round);
    if (round === 1) await this.command('spaces', 'set', FULL, '--max-images', String(FULL_IMAGES));
    for (const { process } of this.cluster.services) this.processes.add(process);
  }

  /** Sends each keyed upload that got no response again; it must get a response now. */
  private async retryUnfinished(): Promise<void> {
    for (const upload of this.ledger.unfinished.values()) {
      const send = (): Promise<void> => sendUnderKey(upload, this.client(), this.ledger);
      await insist(send, this.cluster.patienceMs);
      this.retries += 1;
    }
  }

  /** The services agree with the ledger; the ledger learns the outcome of requests without a response. */
  private async check(): Promise<void> {
    const lists = await Promise.all(this.cluster.services.map(({ url }) => this.client(url).list()));
    const [listed = []] = lists;
    for (const other of lists) expect(other, 'list of another process').to.deep.equal(listed);
    const content = await contentOf(this.client());
    compare(content, this.ledger);
    const contentOfFull = await this.full.check(this.client(undefined, FULL));
    compare(contentOfFull, this.full.ledger);
    await this.names.check(this.client(), this.ledger, listed);
    await this.showPublicNames();
    const trashed = [...content.trashed, ...contentOfFull.trashed];
    expect(await this.cluster.withoutBytes(trashed), 'images in the trash without bytes').to.deep.equal([]);
    await this.followToTheEnd(listed);
    await this.copyToTheEnd(listed);
    await this.findEdited(listed);
    for (const { id, sha256 } of listed) {
      const file = await this.client().file(id);
      expect(file.status, `image ${id}`).to.equal(200);
      expect(await sha256Of(file), `bytes of image ${id}`).to.equal(sha256);
      this.imageChecks += 1;
    }
  }

  /** In every process, the names that say so have an address, and no others. */
  private async showPublicNames(): Promise<void> {
    const names = await this.client().listNames();
    for (const service of this.cluster.services) {
      const web = await webUrlOf(service);
      for (const { name, number, public: isPublic } of names) {
        const response = await fetch(`${web}p/${number}/${name}`);
        await response.arrayBuffer();
        expect(response.status, `public address of ${name}`).to.equal(isPublic ? 200 : 404);
      }
    }
  }

  /** The index for finding has each edit, and no earlier one. */
  private async findEdited(listed: readonly ImageRecord[]): Promise<void> {
    const edited = listed.filter(({ title }) => title !== null).slice(-SEARCHES);
    for (const { id, title } of edited) {
      for (const query of [`q=${title}`, `tags=${title}`]) {
        const response = await this.client().read(`api/images?${query}`);
        const found = (await response.json()) as readonly ImageRecord[];
        // The words of a query are beginnings of words: edit1 finds edit10.
        const exact = found.filter((image) => image.title === title).map((image) => image.id);
        expect(exact, `images found by ${query}`).to.deep.equal([id]);
      }
    }
    const [image] = edited;
    if (image === undefined) return;
    const periods = await (await this.client().read('api/images/timeline?by=year')).json();
    const total = (periods as ReadonlyArray<{ readonly count: number }>).reduce(
      (sum, { count }) => sum + count,
      0,
    );
    expect(total, 'images in the timeline').to.equal(listed.length);
  }

  /** A client that kept reading has read every image. */
  private async followToTheEnd(listed: readonly ImageRecord[]): Promise<void> {
    const client = this.busyClient(this.cluster.entrances[0]);
    for (let pages = 0; pages <= listed.length / 25; pages += 1) {
      // After several restarts nginx may hold a stale connection to each process, and responds with 502 once.
      await insist(() => this.follower.readOn(client), this.cluster.patienceMs);
    }
    this.follower.expectSeen(listed.map(({ id }) => id).filter((id) => !this.ledger.restored.has(id)));
  }

  /** Clients that follow the feed of changes have exactly the catalog. */
  private async copyToTheEnd(listed: readonly ImageRecord[]): Promise<void> {
    const client = this.busyClient(this.cluster.entrances[0]);
    const { pagedCopy, streamedCopy, cluster } = this;
    do await insist(() => pagedCopy.readOn(client), cluster.patienceMs);
    while (!pagedCopy.isAtEnd);
    pagedCopy.expectCopy(listed);
    while (!(await streamedCopy.isAtEnd(client.catalog))) {
      await insist(() => streamedCopy.readOn(client), cluster.patienceMs);
    }
    streamedCopy.expectCopy(listed);
  }

  /** Within some sweeps, only the files of records remain. */
  private async settle(): Promise<void> {
    for (let sweeps = 0; sweeps < MAX_SWEEPS; sweeps += 1) {
      if ((await this.leftovers()).length === 0) return;
      // One of them sweeps; the lease of a killed one ends first.
      await Promise.any(this.cluster.services.map(({ process }) => nextSweep(process)));
    }
    expect(await this.leftovers(), 'orphaned files').to.deep.equal([]);
  }

  private async leftovers(): Promise<readonly string[]> {
    const clients = [OPEN, FULL].map((space) => this.client(undefined, space));
    const lists = clients.flatMap((client) => [client.list(), client.listTrash()]);
    return await this.cluster.leftovers((await Promise.all(lists)).flat());
  }

  /** Clients work as fast as possible until one more step of progress kills something, and continue until all has recovered. */
  private async workThroughKills(): Promise<void> {
    const victims = this.cluster.chooseVictims(this.random);
    const { entrances } = this.cluster;
    const { folder, maxSteps } = pick(this.random, [ANSWERS, ...this.cluster.progress]);
    const ends: Array<Promise<void>> = [];
    const killed = this.cluster.services.filter(({ url }) => victims.some((victim) => victim.url === url));
    let children: readonly number[] = [];
    const strike = (): void => {
      children = this.decoders.childrenOf(killed);
      ends.push(...victims.map((victim) => victim.kill()));
    };
    const fuse = new Fuse(strike, 1 + Math.floor(this.random() * maxSteps));
    const watcher = folder === undefined ? undefined : watch(folder, () => fuse.burn());
    const stalled = victims.flatMap(({ url }) =>
      url === undefined ? [] : stallUpload(url, this.tokens[OPEN] ?? ''),
    );
    let isOver = false;
    const shiftAt = (entrance: string): Shift => ({
      isOver: () => isOver,
      isExcused: () => fuse.hasBlown && this.cluster.isAffected(entrance),
      losesDecoders: true,
      onStep: () => {
        fuse.burn();
        if (!fuse.hasBlown) this.decoders.strike(this.cluster.services);
      },
    });
    const work = Array.from({ length: CLIENTS }, async (_, index) => {
      const entrance = entrances[index % entrances.length] ?? '';
      await keepBusy(this.busyClient(entrance), (client) => this.chooseAct(client), shiftAt(entrance));
    });
    for (let index = 0; index < CLIENTS_OF_FULL; index += 1) {
      const entrance = entrances[index % entrances.length] ?? '';
      work.push(keepBusy(this.clientOfFull(entrance), (one) => this.full.chooseAct(one), shiftAt(entrance)));
    }
    const [first = ''] = entrances;
    for (const reader of [this.follower, this.pagedCopy, this.streamedCopy]) {
      work.push(keepBusy(this.busyClient(first), () => reader.readOn, shiftAt(first)));
    }
    const recovery = fuse.blown.then(async () => {
      await Promise.all(ends);
      await this.decoders.expectEnded(children);
      await this.decoders.expectAllBack(this.cluster.services);
      this.stagedFilesLeft += await this.cluster.stagedFiles();
      await this.cluster.restoreStorage();
      await this.expectRecovery();
    });
    try {
      await Promise.race([recovery, Promise.all(work)]);
    } finally {
      isOver = true;
      watcher?.close();
      for (const upload of stalled) upload.destroy();
    }
    await Promise.all([recovery, ...work]);
    for (const { kind } of victims) this.kills[kind] += 1;
    this.accountForEnded();
  }

  /** The surviving services recover once their dependencies are available again. */
  private async expectRecovery(): Promise<void> {
    const { services, patienceMs } = this.cluster;
    const begun = performance.now();
    const recover = async (url: string): Promise<void> => {
      const client = this.busyClient(url);
      for (const act of [uploadNew(this.makePicture), readOne]) await insist(() => act(client), patienceMs);
      this.slowestRecovery = Math.max(this.slowestRecovery, performance.now() - begun);
    };
    await Promise.all(services.map(({ url }) => recover(url)));
  }

  private chooseAct({ random, ledger }: BusyClient): Act {
    const choice = random();
    const deletes = 0.3 * (ledger.kept.size / IMAGES);
    if (random() < TRASH_AND_NAMES) return this.chooseOfTrashAndNames(random);
    if (choice < deletes) return deleteOne;
    if (choice < deletes + EDITS) return editOne;
    if (choice > 0.8) return random() < 0.7 ? readOne : repeatUnderKey;
    const upload = pick(random, [uploadNew, uploadNew, uploadNewUnderKey, uploadNewByTicket]);
    return upload(this.makePicture);
  }

  private chooseOfTrashAndNames(random: () => number): Act {
    const { setOne, removeOne } = this.names;
    const named = this.names.uploadNamed(this.makePicture);
    return pick(random, [deleteOne, restoreOne, eraseOne, setOne, setOne, removeOne, named]);
  }

  private busyClient(url?: string): BusyClient {
    const random = randomNumbers(this.random() * 2 ** 32);
    return { catalog: this.client(url), random, ledger: this.ledger };
  }

  private clientOfFull(url: string): BusyClient {
    return { ...this.busyClient(url), catalog: this.client(url, FULL), ledger: this.full.ledger };
  }

  private client(url = pick(this.random, this.cluster.entrances), space = OPEN): CatalogClient {
    return new CatalogClient(url, this.tokens[space] ?? '');
  }

  private accountForEnded(): void {
    const running = new Set(this.cluster.services.map(({ process }) => process));
    for (const process of this.processes) if (!running.has(process)) this.account(process);
  }

  private account(process: NodeProcess): void {
    this.processes.delete(process);
    for (const { blobs } of sweepsIn(process.stdout)) this.blobsSwept += blobs;
  }
}

function tokenOf(issuer: string, space: string): string {
  const exp = Math.floor(Date.now() / 1000) + TOKEN_SECONDS;
  return signToken({ iss: issuer, aud: AUDIENCE, sub: 'storm', exp, [SPACE_CLAIM]: space }, KEY);
}

/** What a space has agrees with what its clients know. */
function compare({ live: listed, trashed }: SpaceContent, ledger: Ledger): void {
  const { kept, deleted, inDoubt, sent, records } = ledger;
  compareTrash(trashed, ledger);
  const byId = new Map(listed.map((image) => [image.id, image]));
  expect(byId.size, 'ids are unique').to.equal(listed.length);
  expect(new Set(listed.map(({ sha256 }) => sha256)).size, 'each upload makes one image at most').to.equal(
    listed.length,
  );
  for (const [id, sha256] of kept) expect(byId.get(id)?.sha256, `image ${id}`).to.equal(sha256);
  for (const [id, image] of byId) {
    expect(deleted.has(id), `deleted image ${id} is listed`).to.equal(false);
    expect(sent.has(image.sha256), `image ${id} is one that was sent`).to.equal(true);
    const { title, tags } = image;
    const recorded = records.get(id) ?? image;
    expect(image, `image ${id} as in the response`).to.deep.equal({ ...recorded, title, tags });
    ledger.settleEdits(id, title);
    expect(tags, `tags of image ${id}, set together with its title`).to.deep.equal(
      title === null ? [] : [title],
    );
    kept.set(id, image.sha256);
    ledger.see(id);
  }
  const inTrash = new Set(trashed.map(({ id }) => id));
  for (const id of [...byId.keys()].filter((one) => inTrash.has(one))) {
    expect.fail(`image ${id} is live and in the trash`);
  }
  for (const id of inDoubt.keys()) {
    if (byId.has(id)) continue;
    expect([...inTrash], `image ${id}, which is not live, is in the trash`).to.include(id);
    ledger.settleDelete(id);
  }
  inDoubt.clear();
}

/** What is in the trash is what was deleted, and no client has erased it. It settles erasures in doubt. */
function compareTrash(listed: readonly ImageRecord[], ledger: Ledger): void {
  const { trashed, erasing, erased, inDoubt, sent, records } = ledger;
  const byId = new Map(listed.map((image) => [image.id, image]));
  for (const [id, sha256] of trashed) {
    expect(byId.get(id)?.sha256, `image ${id} in the trash`).to.equal(sha256);
  }
  for (const [id, image] of byId) {
    expect(erased.has(id), `erased image ${id} is in the trash`).to.equal(false);
    const isMeant = trashed.has(id) || inDoubt.has(id) || erasing.has(id);
    expect(isMeant, `image ${id} in the trash was deleted by a client`).to.equal(true);
    expect(sent.has(image.sha256), `image ${id} is one that was sent`).to.equal(true);
    const { title, tags } = image;
    expect(image, `image ${id} in the trash`).to.deep.equal({ ...(records.get(id) ?? image), title, tags });
    ledger.settleEdits(id, title);
  }
  for (const id of erasing) {
    const image = byId.get(id);
    if (image === undefined) erased.add(id);
    else trashed.set(id, image.sha256);
  }
  erasing.clear();
}

interface Sweep {
  readonly msg: 'swept blobs';
  readonly blobs: number;
}

function sweepsIn(stdout: string): readonly Sweep[] {
  return stdout.split('\n').flatMap((line) => sweepIn(line) ?? []);
}

function sweepIn(line: string): Sweep | undefined {
  return line.includes('"msg":"swept blobs"') ? (JSON.parse(line) as Sweep) : undefined;
}

/** Resolves when a sweep has ended that was running or not yet started at the call. */
async function nextSweep(service: NodeProcess): Promise<void> {
  let past = sweepsIn(service.stdout).length;
  await service.line((line) => {
    if (sweepIn(line) === undefined) return undefined;
    past -= 1;
    return past < 0 ? true : undefined;
  });
}

function pick<T>(random: () => number, items: readonly T[]): T {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new TypeError('The list is empty');
  return item;
}

/** Adds the place of a failure to its error. */
async function naming<T>(where: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new Error(`In ${where}: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}

/** For runs of many rounds. */
export function logTenth(round: number, figures: StormFigures): void {
  if (round % 10 === 0) console.log(`      round ${round}: ${JSON.stringify(figures)}`);
}

type StormChoices = Pick<StormOptions, 'rounds' | 'seed' | 'onRound'>;

/** Runs on one SQLite file and one blob folder. */
export async function runStormOnFiles(folder: string, choices: StormChoices): Promise<StormFigures> {
  return await runCrashStorm({
    ...choices,
    pictureBytes: [100_000, 5_000_000],
    openCluster: async (env) => new SqliteCluster(folder, env),
  });
}

/**
 * Runs three replicas behind nginx, on Postgres and S3.
 *
 * @throws {MissingPart} if one of them is not available
 */
export async function runStormOnReplicas(choices: StormChoices): Promise<StormFigures> {
  return await runCrashStorm({
    ...choices,
    pictureBytes: [20_000, 400_000],
    openCluster: async (env) => await ReplicaCluster.open(env),
  });
}
