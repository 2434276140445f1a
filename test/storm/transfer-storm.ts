import { watch } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { randomNumbers } from '../support/fixtures/random-numbers.ts';
import {
  type BusyClient,
  deleteOne,
  Fuse,
  Ledger,
  noise,
  repeatUnderKey,
  uploadNew,
  uploadNewUnderKey,
} from '../support/http/busy-clients.ts';
import {
  type CatalogClient,
  type ImageRecord,
  sha256Of,
  uploadedId,
} from '../support/http/catalog-client.ts';
import { ServiceFolder } from '../support/servers/service-folder.ts';
import {
  blobFolder,
  databaseFile,
  type Environment,
  type RunningService,
  stagingFolder,
} from '../support/servers/service-process.ts';

export interface TransferStormOptions {
  /** The number of images in the catalog when the transfer begins; clients add and delete some meanwhile. */
  readonly images: number;
  /** How often the transfer is killed before it may complete. */
  readonly kills: number;
  /** Repeats the choices of a run; the interleaving depends on the machine and cannot be repeated. */
  readonly seed: number;
  /** The target; files in a separate folder by default. */
  readonly target?: Place | undefined;
}

/** The location of a catalog. */
export interface Place {
  /** `DATABASE_URL`, `BLOB_STORE_URL`, and what else its services need. */
  readonly env: Environment & { readonly DATABASE_URL: string; readonly BLOB_STORE_URL: string };
  /** The folder in which a transfer to it stages files; changes there are progress. */
  readonly staging: string;
}

/** What a storm has done, to judge whether it tested enough. */
export interface TransferStormFigures {
  kills: number;
  readonly reports: TransferReportLine[];
  /** Acknowledged by the source during the copy. */
  uploadsMeanwhile: number;
  deletesMeanwhile: number;
  /** The images that both sides list in the end. */
  images: number;
}

export interface TransferReportLine {
  readonly outcome: string;
  readonly images: number;
  readonly removed: number;
  readonly findings: number;
  readonly seconds: number;
}

const CLIENTS = 2;
const UPLOADERS = 6;
/** The number of downloads to compare; `--verify` has compared all of them. */
const DOWNLOADS = 300;

/**
 * Copies a catalog of SQLite and files to another place during uploads and deletes: a transfer that is killed and
 * resumed, a last one in a read-only window, the switch, and the way back.
 *
 * @throws {Error} if the catalog is not the same or loses an acknowledged change
 */
export async function runTransferStorm(options: TransferStormOptions): Promise<TransferStormFigures> {
  const folder = await ServiceFolder.open();
  try {
    return await new TransferStorm(folder, options).run();
  } finally {
    await folder.close();
  }
}

class TransferStorm {
  private readonly random: () => number;
  private readonly ledger = new Ledger();
  private readonly figures: TransferStormFigures = {
    kills: 0,
    reports: [],
    uploadsMeanwhile: 0,
    deletesMeanwhile: 0,
    images: 0,
  };
  private highestId = 0;

  constructor(
    private readonly folder: ServiceFolder,
    private readonly options: TransferStormOptions,
  ) {
    this.random = randomNumbers(options.seed);
  }

  async run(): Promise<TransferStormFigures> {
    const source = filesIn(this.folder.path);
    const target = this.options.target ?? filesIn(join(this.folder.path, 'target'));
    await this.moveOver(source, target);
    await this.moveBack(target, filesIn(join(this.folder.path, 'back')), []);
    // The former place holds an earlier state of the same catalog, which a transfer can update.
    await this.moveBack(filesIn(join(this.folder.path, 'back')), source, ['--resume']);
    return this.figures;
  }

  private async moveOver(source: Place, target: Place): Promise<void> {
    const service = await this.start(source);
    await this.fill(service);
    const clients = this.keepClientsBusy(service);
    await this.transferWithKills(source, target);
    await clients.stop();
    await service.process.stop();
    await this.catchUpReadOnly(source, target, ['--resume', '--verify']);
  }

  private async moveBack(from: Place, to: Place, flags: readonly string[]): Promise<void> {
    const service = await this.start(from);
    await this.work(service);
    await service.process.stop();
    await this.catchUpReadOnly(from, to, [...flags, '--verify']);
  }

  /** Uploads, deletes and retries, which the next place must contain. */
  private async work(service: RunningService): Promise<void> {
    const client = this.busyClient(service);
    await repeatUnderKey(client);
    for (const act of [uploadNew(noise), uploadNewUnderKey(noise), deleteOne, deleteOne]) await act(client);
    const { bytes, name } = await noise(this.random);
    const id = uploadedId(await client.catalog.upload(bytes, name));
    this.reach(id);
    // The highest id is that of a deleted image; it must not be assigned again.
    expect((await client.catalog.delete(id)).status).to.equal(204);
  }

  private async fill(service: RunningService): Promise<void> {
    const [client, left] = [this.busyClient(service), Array.from({ length: this.options.images }).keys()];
    const uploader = async (): Promise<void> => {
      for (const number of left) await (number % 10 === 0 ? uploadNewUnderKey : uploadNew)(noise)(client);
    };
    await Promise.all(Array.from({ length: UPLOADERS }, uploader));
  }

  private async transferWithKills(source: Place, target: Place): Promise<void> {
    const { images, kills } = this.options;
    await mkdir(target.staging, { recursive: true });
    for (let kill = 1; kill <= kills; kill += 1) {
      const blobs = Math.ceil((0.5 + this.random() / 2) * (images / (kills + 1)));
      await this.killedTransfer(source, target, kill === 1 ? [] : ['--resume'], blobs);
    }
    const { outcome } = await this.transfer(source, target, ['--resume']);
    expect(outcome).to.be.oneOf(['complete', 'behind']);
  }

  private async killedTransfer(
    source: Place,
    target: Place,
    flags: readonly string[],
    /** Kills the transfer once so many blobs have begun to be copied. */
    blobs: number,
  ): Promise<void> {
    const transfer = this.folder.spawnCommand(['transfer', ...flags], transferEnv(source, target));
    const fuse = new Fuse(() => transfer.kill('SIGKILL'), blobs);
    const staged = new Set<string | null>();
    const watcher = watch(target.staging, (_event, name) => {
      if (staged.has(name)) return;
      staged.add(name);
      fuse.burn();
    });
    try {
      expect(await transfer.exited, transfer.output).to.deep.equal({ code: null, signal: 'SIGKILL' });
    } finally {
      watcher.close();
    }
    this.figures.kills += 1;
  }

  private async transfer(
    source: Place,
    target: Place,
    flags: readonly string[],
  ): Promise<TransferReportLine> {
    const { code, stdout, stderr } = await this.folder.run(
      ['transfer', ...flags],
      transferEnv(source, target),
    );
    const lines = stdout.split('\n');
    expect(lines.length, `lines of ${stdout}\n${stderr}`).to.equal(1);
    const report = JSON.parse(stdout) as TransferReportLine;
    expect(code, `${stdout}\n${stderr}`).to.equal(report.outcome === 'complete' ? 0 : 1);
    this.figures.reports.push(report);
    return report;
  }

  /** The last transfer before the switch, and the report of both sides. */
  private async catchUpReadOnly(source: Place, target: Place, flags: readonly string[]): Promise<void> {
    const before = await this.start(source, { READ_ONLY: 'true' });
    const reader = this.folder.client(before);
    const refused = await reader.delete(1);
    expect([refused.status, ((await refused.json()) as { code: string }).code]).to.deep.equal([
      503,
      'read_only',
    ]);
    const report = await this.transfer(source, target, flags);
    expect(report).to.include({ outcome: 'complete', findings: 0, verifyFindings: 0 });
    const verified = await this.folder.run(['verify'], { ...target.env, SWEEP_GRACE_SECONDS: '0' });
    expect(verified, verified.stderr).to.include({ code: 0, stdout: '' });
    const after = await this.start(target);
    await this.compare(reader, this.folder.client(after));
    await this.expectHigherIds(this.folder.client(after));
    await before.process.stop();
    await after.process.stop();
  }

  private async compare(source: CatalogClient, target: CatalogClient): Promise<void> {
    const listed = await source.list();
    expect(await target.list()).to.deep.equal(listed);
    this.figures.images = listed.length;
    const shas = new Map(listed.map(({ id, sha256 }) => [id, sha256]));
    for (const [id, sha256] of this.ledger.kept) expect(shas.get(id), `image ${id}`).to.equal(sha256);
    for (const id of this.ledger.deleted) expect(shas.has(id), `deleted image ${id}`).to.equal(false);
    for (const { id, sha256 } of someOf(listed, DOWNLOADS)) {
      expect(await sha256Of(await target.file(id)), `bytes of image ${id}`).to.equal(sha256);
    }
  }

  private async expectHigherIds(target: CatalogClient): Promise<void> {
    const { bytes, sha256, name } = await noise(this.random);
    const id = uploadedId(await target.upload(bytes, name));
    const known = Math.max(this.highestId, ...this.ledger.kept.keys(), ...this.ledger.deleted);
    expect(id).to.be.greaterThan(known);
    this.ledger.acknowledge(id, sha256);
  }

  private keepClientsBusy(service: RunningService): { readonly stop: () => Promise<void> } {
    const over = new AbortController();
    const [kept, deleted] = [this.ledger.kept.size, this.ledger.deleted.size];
    const working = Promise.all(
      Array.from({ length: CLIENTS }, async () => {
        const client = this.busyClient(service);
        while (!over.signal.aborted) {
          await (this.random() < 0.3 ? uploadNewUnderKey : uploadNew)(noise)(client);
          await deleteOne(client);
        }
      }),
    );
    return {
      stop: async () => {
        over.abort();
        await working;
        this.figures.deletesMeanwhile = this.ledger.deleted.size - deleted;
        this.figures.uploadsMeanwhile = this.ledger.kept.size - kept + this.figures.deletesMeanwhile;
      },
    };
  }

  private busyClient(service: RunningService): BusyClient {
    const random = randomNumbers(this.random() * 2 ** 32);
    const catalog = this.folder.client(service);
    return { catalog, ledger: this.ledger, random };
  }

  private async start({ env }: Place, more: Environment = {}): Promise<RunningService> {
    return await this.folder.start({ ...env, ...more });
  }

  private reach(id: number): void {
    this.highestId = Math.max(this.highestId, id);
  }
}

/** SQLite and files in one folder. */
function filesIn(folder: string): Place {
  return {
    env: {
      DATABASE_URL: `sqlite:${databaseFile(folder)}`,
      BLOB_STORE_URL: `file:${blobFolder(folder)}`,
      RENDITION_CACHE_URL: `file:${join(folder, 'renditions')}`,
    },
    staging: stagingFolder(folder),
  };
}

function transferEnv(source: Place, target: Place): Environment {
  return {
    ...target.env,
    ...source.env,
    TRANSFER_TO_DATABASE: target.env.DATABASE_URL,
    TRANSFER_TO_BLOBS: target.env.BLOB_STORE_URL,
    // Files of a killed process count as orphaned at once.
    SWEEP_GRACE_SECONDS: '0',
  };
}

/** Items spread evenly over the list. */
function someOf(images: readonly ImageRecord[], count: number): readonly ImageRecord[] {
  const step = Math.max(1, Math.floor(images.length / count));
  return images.filter((_, index) => index % step === 0);
}
