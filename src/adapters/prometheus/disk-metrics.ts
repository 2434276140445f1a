import type { StatsFs } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { Registry } from 'prom-client';
import { readGauges } from './read-gauge.ts';

/** A network file system may not respond. */
const STATFS_TIMEOUT_MS = 1_000;

/**
 * Space of the file systems that hold the data.
 *
 * @param folders paths by name
 */
export function observeDisks(folders: Readonly<Record<string, string>>, registry: Registry): void {
  const disks = Object.entries(folders).map(([name, path]) => new Disk(name, path));
  diskGauge(registry, 'free', 'Space that the service can still use', disks, (stats) => stats.bavail);
  diskGauge(registry, 'size', 'Size', disks, (stats) => stats.blocks);
}

function diskGauge(
  registry: Registry,
  what: string,
  help: string,
  disks: readonly Disk[],
  blocksOf: (stats: StatsFs) => number,
): void {
  readGauges({
    name: `image_catalog_disk_${what}_bytes`,
    help: `${help} on the file system of a data folder; NaN if it does not respond`,
    registry,
    label: 'folder',
    reads: disks.map((disk) => [disk.name, () => disk.bytes(blocksOf)]),
  });
}

/** Asks once at a time: a call that hangs occupies a thread of the pool. */
class Disk {
  private asking: Promise<StatsFs | undefined> | undefined;

  constructor(
    readonly name: string,
    private readonly path: string,
  ) {}

  async bytes(blocksOf: (stats: StatsFs) => number): Promise<number> {
    const stats = await this.stats();
    return stats === undefined ? Number.NaN : blocksOf(stats) * stats.bsize;
  }

  private async stats(): Promise<StatsFs | undefined> {
    this.asking ??= statfs(this.path)
      .catch(() => undefined)
      .finally(() => {
        this.asking = undefined;
      });
    return await Promise.race([this.asking, delay(STATFS_TIMEOUT_MS, undefined, { ref: false })]);
  }
}
