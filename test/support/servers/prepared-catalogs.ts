import { cp } from 'node:fs/promises';
import type { ImageRecord } from '../../../client/src/image-record.ts';
import { randomNumbers } from '../fixtures/random-numbers.ts';
import { noise } from '../http/busy-clients.ts';
import { ServiceFolder } from './service-folder.ts';
import type { RunningService } from './service-process.ts';

interface PreparedCatalog {
  readonly folder: ServiceFolder;
  readonly images: readonly ImageRecord[];
}

/** Catalogs of a stopped service, each made once. Tests get copies with the identity of the original. */
export class PreparedCatalogs {
  readonly #prepared = new Map<number, Promise<PreparedCatalog>>();

  /** Copies a catalog of this many images into a folder, to the paths that a service or a command uses. */
  async copyTo(path: string, count: number): Promise<readonly ImageRecord[]> {
    const prepared = this.#prepared.get(count) ?? prepare(count);
    this.#prepared.set(count, prepared);
    const { folder, images } = await prepared;
    await cp(folder.path, path, { recursive: true, preserveTimestamps: true });
    return images;
  }

  async remove(): Promise<void> {
    for (const prepared of this.#prepared.values()) await (await prepared).folder.close();
    this.#prepared.clear();
  }
}

async function prepare(count: number): Promise<PreparedCatalog> {
  const folder = await ServiceFolder.open();
  const service = await folder.start();
  const images = await uploadSeveral(folder, service, count);
  await service.process.stop();
  return { folder, images };
}

const random = randomNumbers(3);

/** Resolves to all records of the catalog. */
export async function uploadSeveral(
  folder: ServiceFolder,
  service: RunningService,
  count: number,
): Promise<readonly ImageRecord[]> {
  const images = folder.images(service);
  for (let number = 0; number < count; number += 1) {
    const { bytes, name } = await noise(random);
    await images.upload(new File([bytes], name));
  }
  return await folder.records(service);
}
