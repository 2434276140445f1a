import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import type { ImageRecord } from '../http/catalog-client.ts';
import { ServiceGroup } from '../servers/service-group.ts';
import {
  blobFolder,
  type Environment,
  type NodeProcess,
  type RunningService,
  renditionFolder,
  spawnCommand,
  stagingFolder,
} from '../servers/service-process.ts';
import { type Progress, type StormCluster, uuidOf, type Victim } from './storm-cluster.ts';

/**
 * Services on one SQLite file and one blob folder: one, and in every other round two, of which one or both are killed. Each
 * has its own clients.
 */
export class SqliteCluster implements StormCluster {
  /** No wait is needed: the storage is always available. */
  readonly patienceMs = 0;
  private readonly group = new ServiceGroup();

  /** @param folder where the catalog is kept; it stays */
  constructor(
    private readonly folder: string,
    private readonly env: Environment,
  ) {}

  get services(): readonly RunningService[] {
    return this.group.running;
  }

  get entrances(): readonly string[] {
    return this.services.map(({ url }) => url);
  }

  /** The folders of the unfinished uploads, and of the database and its write-ahead log. */
  get progress(): readonly Progress[] {
    return [
      { folder: stagingFolder(this.folder), maxSteps: 600 },
      { folder: this.folder, maxSteps: 200 },
    ];
  }

  async bringUp(round: number): Promise<void> {
    const missing = (round % 2 === 0 ? 2 : 1) - this.services.length;
    if (missing <= 0) return;
    const { folder, env } = this;
    await this.group.start(Array.from({ length: missing }, () => ({ folder, env })));
    // Before it listens, a service removes the staged files of killed ones.
    expect(await readdir(stagingFolder(folder)), 'staged files').to.deep.equal([]);
  }

  chooseVictims(random: () => number): readonly Victim[] {
    const all = this.services.map((service) => this.group.asVictim(service));
    const choice = random();
    if (all.length === 1 || choice < 0.5) return all;
    return all.slice(...(choice < 0.75 ? [0, 1] : [1, 2]));
  }

  isAffected(entrance: string): boolean {
    return !this.entrances.includes(entrance);
  }

  async restoreStorage(): Promise<void> {
    // Files cannot become unavailable.
  }

  async leftovers(images: readonly ImageRecord[]): Promise<readonly string[]> {
    const recorded = new Set(images.map(uuidOf));
    const [blobs, staged, renditions] = await Promise.all([
      readdir(blobFolder(this.folder), { recursive: true, withFileTypes: true }),
      readdir(stagingFolder(this.folder)),
      uuidsBelow(renditionFolder(this.folder)),
    ]);
    const files = blobs.filter((entry) => entry.isFile()).map(({ name }) => name);
    const unrecorded = [...files, ...renditions].filter((name) => !recorded.has(name));
    return [...new Set([...unrecorded, ...staged])];
  }

  async withoutBytes(images: readonly ImageRecord[]): Promise<readonly ImageRecord[]> {
    const entries = await readdir(blobFolder(this.folder), { recursive: true, withFileTypes: true });
    const names = new Set(entries.map(({ name }) => name));
    return images.filter((image) => !names.has(uuidOf(image)));
  }

  async stagedFiles(): Promise<number> {
    return (await readdir(stagingFolder(this.folder))).length;
  }

  run(args: readonly string[]): NodeProcess {
    return spawnCommand(args, { folder: this.folder, env: { SWEEP_GRACE_SECONDS: '0' } });
  }

  async destroy(): Promise<void> {
    await this.group.killAll();
  }
}

/** The images that have renditions. */
async function uuidsBelow(folder: string): Promise<readonly string[]> {
  const shards = await readdir(folder);
  const names = await Promise.all(shards.map((shard) => readdir(join(folder, shard))));
  return [...new Set(names.flat().map((name) => name.slice(0, 36)))];
}
