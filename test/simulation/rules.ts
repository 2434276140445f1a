import { type CatalogProcess, GRACE_MS } from './catalog-process.ts';
import { type Ledger, require } from './ledger.ts';
import type { SimulatedCatalog } from './simulated-catalog.ts';
import type { Storage } from './storage.ts';

/** @throws {Violation} */
type Rule = (ledger: Ledger, storage: Storage, process: CatalogProcess) => Promise<void> | void;

/** Rules that hold at every moment. */
const ALWAYS: readonly Rule[] = [
  function acknowledgedImagesAreThere({ standing, sent }, { images, blobs }) {
    const records = new Map(images.all().map((image) => [image.id, image]));
    for (const id of standing) {
      const record = records.get(id);
      require(record !== undefined, `image ${id} was acknowledged and has no record`);
      const expected = sent.get(record.originalName)?.picture.bytes ?? new Uint8Array();
      const bytes = blobs.bytesOf(record.uuid);
      require(bytes !== undefined, `image ${id} was acknowledged and has no blob`);
      require(Buffer.compare(bytes, expected) === 0, `image ${id} has other bytes`);
    }
  },
];

/** Rules that hold when all work has ended, processes were started again, and the sweeper has passed twice. */
const AT_REST: readonly Rule[] = [
  async function verifyIsClean(_, __, process) {
    for await (const { finding } of process.verify.records({ isChosen: () => true }))
      require(finding === undefined, `verify: ${JSON.stringify(finding)}`);
    for await (const finding of process.verify.orphans(0))
      require(false, `verify: ${JSON.stringify(finding)}`);
  },
  function nothingIsLeftOver(_, { staging, images, renditions }) {
    const uuids = new Set<string>(images.all().map(({ uuid }) => uuid));
    const deleted = renditions.keys.filter((key) => !uuids.has(key.slice(0, key.indexOf('/'))));
    require(deleted.length === 0, `renditions of deleted images: ${deleted.join(', ')}`);
    require(staging.fileCount === 0, `${staging.fileCount} staged files are left`);
  },
  function deletedImagesAreGone(ledger, { images }) {
    for (const { id } of images.all()) require(!ledger.isDeleted(id), `deleted image ${id} is there`);
  },
  function recordsAreWhatWasSent({ sent }, { images }) {
    const names = new Map<string, number>();
    for (const { originalName, id, sha256 } of images.all()) {
      const wanted = sent.get(originalName);
      require(wanted?.picture.sha256 === sha256, `image ${id} is nothing that was sent`);
      require(!names.has(originalName), `${originalName} has more than one image`);
      names.set(originalName, id);
      const isUnknown = wanted.unknown > 0;
      require(isUnknown || wanted.acknowledged === id, `${originalName} was refused and is image ${id}`);
    }
  },
  function keysHaveOneImage({ sent }, { images }) {
    const keys = images.all().flatMap(({ originalName }) => sent.get(originalName)?.key ?? []);
    require(new Set(keys).size === keys.length, `a key has made more than one image: ${keys.join(', ')}`);
  },
];

export function checkAlways({ ledger, storage }: SimulatedCatalog): void {
  for (const rule of ALWAYS) void rule(ledger, storage, undefined as never);
}

/** After all work. */
export async function checkAtRest(catalog: SimulatedCatalog): Promise<void> {
  const { ledger, storage } = catalog;
  const process = catalog.startUndisturbed();
  for (let sweep = 0; sweep < 3; sweep += 1) {
    await process.sweep.execute({ dryRun: false });
    catalog.moveClock(2 * GRACE_MS);
  }
  for (const rule of [...ALWAYS, ...AT_REST]) await rule(ledger, storage, process);
}
