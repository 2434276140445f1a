import { readdirSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { basename, join, relative } from 'node:path';
import { type StoredUuid, uuidFrom } from '../../../src/adapters/sql/rows/image-columns.ts';
import { openSqliteDatabase } from '../../../src/adapters/sql/sqlite/open-sqlite-database.ts';
import { ERROR, type LogEntry } from '../doubles/captured-log.ts';
import type { TestKey } from '../fixtures/tokens.ts';
import { CatalogClient } from '../http/catalog-client.ts';
import { RawConnection } from '../http/raw-connection.ts';
import { eventually } from '../time/eventually.ts';
import { forgetPeakRss, ownPeakRssOf, peakRssOf, rssOf } from './process-tree.ts';
import { ServiceFolder } from './service-folder.ts';
import {
  blobFolder,
  databaseFile,
  type Environment,
  type NodeProcess,
  type RunningService,
  renditionFolder,
} from './service-process.ts';

/** Those of a service without the setting. */
const USUAL_DECODERS = { DECODERS: String(availableParallelism() + 1) };

export interface RunningCatalogOptions {
  readonly env?: Environment;
  /** See `StartOptions`. */
  readonly through?: readonly string[];
  /** Used instead of a temporary folder; the caller must remove it. */
  readonly folder?: string;
}

/** The built service as a process, with its own keys and folder, observed from outside. */
export class RunningCatalog {
  private constructor(
    private service: RunningService,
    private readonly place: ServiceFolder,
    private readonly start: () => Promise<RunningService>,
  ) {}

  static async start({ folder, env, through }: RunningCatalogOptions = {}): Promise<RunningCatalog> {
    const place = await ServiceFolder.open(folder);
    const start = (): Promise<RunningService> =>
      place.start({ ...USUAL_DECODERS, ...env }, through && { through });
    try {
      return new RunningCatalog(await start(), place, start);
    } catch (error) {
      await place.close();
      throw error;
    }
  }

  get folder(): string {
    return this.place.path;
  }

  /** With a trailing slash. */
  get url(): string {
    return this.service.url;
  }

  /** The `iss` of a valid token. */
  get issuer(): string {
    return this.place.issuer;
  }

  get port(): number {
    return Number(new URL(this.url).port);
  }

  get process(): NodeProcess {
    return this.service.process;
  }

  /** The folder of the database, the blobs and the renditions. */
  get paths(): { readonly database: string; readonly blobs: string; readonly renditions: string } {
    return {
      database: databaseFile(this.folder),
      blobs: blobFolder(this.folder),
      renditions: renditionFolder(this.folder),
    };
  }

  /** A token that the service accepts, with any further claims; `undefined` leaves one out. */
  token(claims: Readonly<Record<string, unknown>> = {}, key?: TestKey): string {
    return this.place.tokenWith(claims, key);
  }

  get bearer(): string {
    return `Bearer ${this.token()}`;
  }

  client(): CatalogClient {
    return new CatalogClient(this.url, this.token());
  }

  /** A request with a valid token, on its own connection. */
  async request(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    headers.set('authorization', this.bearer);
    headers.set('connection', 'close');
    return await fetch(new URL(path, this.url), { ...init, headers });
  }

  async connect(): Promise<RawConnection> {
    return await RawConnection.open(this.port);
  }

  /** Bytes of memory that the service and its children hold. */
  rss(): number {
    return rssOf(this.process.pid);
  }

  /** The highest `rss` since `forgetPeakRss`. */
  peakRss(): number {
    return peakRssOf(this.process.pid);
  }

  /** The same of the service without its decoders. */
  ownPeakRss(): number {
    return ownPeakRssOf(this.process.pid);
  }

  forgetPeakRss(): void {
    forgetPeakRss(this.process.pid);
  }

  /** Files and sockets that the process has open. */
  openFiles(): number {
    return readdirSync(`/proc/${this.process.pid}/fd`).length;
  }

  /** The number of open files and sockets after warm-up and without requests. */
  async quietOpenFiles(): Promise<number> {
    for (let turn = 0; turn < 2; turn += 1) {
      const warmUps = Array.from({ length: 8 }, async () => await this.request('api/images'));
      for (const response of await Promise.all(warmUps)) await response.text();
      await (await this.request('api/image/1/file')).arrayBuffer();
    }
    let last = Number.NaN;
    let times = 0;
    return await eventually(
      () => this.openFiles(),
      (open) => {
        times = open === last ? times + 1 : 0;
        last = open;
        return times >= 5;
      },
    );
  }

  /** The number of open files and sockets after clients have disconnected; waits for it to fall to the earlier value. */
  async idleOpenFiles(before: number): Promise<number> {
    return await eventually(
      () => this.openFiles(),
      (open) => open <= before,
    );
  }

  /** Log lines of errors so far. */
  errors(): readonly LogEntry[] {
    return this.logged(({ level }) => level >= ERROR);
  }

  logged(isIt: (entry: LogEntry) => boolean): readonly LogEntry[] {
    const lines = this.process.stdout.split('\n').filter((line) => line !== '');
    return lines.map((line) => JSON.parse(line) as LogEntry).filter(isIt);
  }

  /** Orphaned files and blobs without running requests; waits for them to be removed. Empty if there is no fault. */
  async leftovers(): Promise<readonly string[]> {
    return await eventually(
      () => this.findOrphans(),
      (found) => found.length === 0,
    );
  }

  /** Starts the service again on the same folder, after it has ended. */
  async restart(): Promise<void> {
    this.service = await this.start();
  }

  async stop(): Promise<void> {
    await this.place.close();
  }

  private async findOrphans(): Promise<readonly string[]> {
    const recorded = await this.recordedUuids();
    const blobs = await filesBelow(this.paths.blobs);
    const renditions = await filesBelow(this.paths.renditions);
    const stored = new Set(blobs.map((path) => basename(path)));
    return [
      ...blobs.filter((path) => !recorded.has(basename(path))),
      ...renditions.filter((path) => !recorded.has(basename(path).slice(0, 36))),
      ...renditions.filter((path) => path.endsWith('.part')),
      ...[...recorded].filter((uuid) => !stored.has(uuid)).map((uuid) => `the record of ${uuid}`),
    ];
  }

  private async recordedUuids(): Promise<ReadonlySet<string>> {
    const knex = openSqliteDatabase(this.paths.database);
    try {
      const stored = await knex('images').pluck<StoredUuid[]>('blob_uuid');
      const trashed = await knex('trashed_images').pluck<StoredUuid[]>('uuid');
      return new Set([...stored, ...trashed].map(uuidFrom));
    } finally {
      await knex.destroy();
    }
  }
}

/** Relative to the folder. */
async function filesBelow(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}
