import { isDeepStrictEqual } from 'node:util';
import type { CatalogImage } from '../../src/domain/image/image.ts';
import { fold } from '../../src/domain/image/words/fold.ts';
import { searchWords } from '../../src/domain/image/words/words.ts';
import { isWithin } from '../../src/domain/space/is-within.ts';
import type { Amount, Space } from '../../src/domain/space/space.ts';
import { CALLER } from '../support/doubles/staying.ts';
import { itemsOf } from '../support/fixtures/items-of.ts';
import { wholePage } from '../support/fixtures/whole-page.ts';
import { type CatalogProcess, GRACE_MS } from './catalog-process.ts';
import { FULL, type Ledger, PICTURES, require, SPACES } from './ledger.ts';
import { endsOf, transferInto } from './operations/copies.ts';
import { exportInto, hasAll, hasNothingElse } from './operations/exports.ts';
import { requireCopies } from './operations/feed.ts';
import { importThrough } from './operations/imports.ts';
import { retry, sendRefused, uploadAnother } from './operations/uploads.ts';
import { requireDelivered } from './operations/webhooks.ts';
import type { SimulatedCatalog } from './simulated-catalog.ts';
import { factsOf, type Storage } from './storage.ts';

/** @throws {Violation} */
type Rule = (ledger: Ledger, storage: Storage) => void;

/** @throws {Violation} */
type RestRule = (
  ledger: Ledger,
  storage: Storage,
  process: CatalogProcess,
  catalog: SimulatedCatalog,
) => Promise<void> | void;

/** Rules that hold at every moment. */
const ALWAYS: readonly Rule[] = [
  function acknowledgedImagesAreThere({ standing }, { images }) {
    const ids = new Set(images.all().map(({ id }) => id));
    for (const id of standing) require(ids.has(id), `image ${id} was acknowledged and has no record`);
  },
  function recordsHaveTheirBytes({ sent }, { images, trash, blobs }) {
    for (const { id, uuid, originalName } of [...images.all(), ...trash.all()]) {
      const expected = sent.get(originalName)?.picture.bytes ?? new Uint8Array();
      const bytes = blobs.bytesOf(uuid);
      require(bytes !== undefined, `image ${id} has a record and no blob`);
      require(Buffer.compare(bytes, expected) === 0, `image ${id} has other bytes`);
    }
  },
  function anImageIsLiveOrInTheTrash({ kept }, { images, trash }) {
    const [live, trashed] = [images, trash].map((one) => new Set(one.all().map(({ id }) => id)));
    for (const id of trashed ?? []) require(live?.has(id) === false, `image ${id} is live and in the trash`);
    for (const id of kept) {
      require(live?.has(id) || trashed?.has(id) === true, `image ${id} was lost from the trash`);
    }
  },
  function namesPointToLiveImages(_, { images, names }) {
    const spaces = new Map(images.all().map(({ id, space }) => [id, space]));
    for (const { name, imageId, space } of names.all()) {
      const isMeant = imageId === undefined || spaces.get(imageId) === space;
      require(isMeant, `the name ${name} of '${space}' points to image ${imageId}, which is not there`);
    }
  },
  function countersAreRight({ limits }, { images, trash, spaces }) {
    for (const space of SPACES) {
      const sizes = images.all().flatMap((image) => (image.space === space ? [image.size] : []));
      const held = { images: sizes.length, bytes: sizes.reduce((sum, size) => sum + size, 0) };
      const counted = spaces.amountOf(space);
      const isSame = isDeepStrictEqual(counted, held);
      require(isSame, `the space '${space}' has ${inWords(held)}, its counters say ${inWords(counted)}`);
      const inTrash = trash.all().flatMap((image) => (image.space === space ? [image.size] : []));
      const trashed = { images: inTrash.length, bytes: inTrash.reduce((sum, size) => sum + size, 0) };
      const isCounted = isDeepStrictEqual(spaces.trashedIn(space), trashed);
      require(isCounted, `the counters of the trash of '${space}' do not say ${inWords(trashed)}`);
      const all = { images: held.images + trashed.images, bytes: held.bytes + trashed.bytes };
      const isMeant = space !== FULL || isWithin(all, limits);
      require(isMeant, `the space '${space}' has ${inWords(held)}, which is more than its limit`);
    }
  },
];

/** Rules that hold when all work has ended, processes were started again, and the sweeper has passed twice. */
const AT_REST: readonly RestRule[] = [
  async function verifyIsClean(_, __, process) {
    for await (const { finding } of process.verify.records({ isChosen: () => true })) {
      require(finding === undefined, `verify: ${JSON.stringify(finding)}`);
    }
    for await (const finding of process.verify.orphans(0)) {
      require(false, `verify: ${JSON.stringify(finding)}`);
    }
    for (const finding of await process.verify.miscounted()) {
      require(false, `verify: ${JSON.stringify(finding)}`);
    }
  },
  (_, storage) => nothingIsLeftOver(storage),
  function deletedImagesAreGone(ledger, { images }) {
    for (const { id } of images.all()) require(!ledger.isDeleted(id), `deleted image ${id} is there`);
  },
  function recordsAreWhatWasSent({ sent }, { images }) {
    const names = new Map<string, number>();
    for (const { originalName, id, sha256, space } of images.all()) {
      const wanted = sent.get(originalName);
      require(wanted?.picture.sha256 === sha256, `image ${id} is nothing that was sent`);
      require(wanted.space === space, `image ${id} of the space '${wanted.space}' is in '${space}'`);
      require(!names.has(originalName), `${originalName} has more than one image`);
      names.set(originalName, id);
      const isUnknown = wanted.unknown > 0;
      require(isUnknown || wanted.acknowledged === id, `${originalName} was refused and is image ${id}`);
    }
  },
  function keysHaveOneImage({ sent }, { images }) {
    const keys = images.all().flatMap(({ originalName, space }) => {
      const key = sent.get(originalName)?.key;
      return key === undefined ? [] : [`${space}/${key}`];
    });
    require(new Set(keys).size === keys.length, `a key has made more than one image: ${keys.join(', ')}`);
  },
  async function countsAreThoseOfTheRecords(_, { images }, process) {
    for (const space of SPACES) await requireCounts(process, space, images.allIn(space));
  },
  async function wordsFindTheirImages(_, { images }, { listImages }) {
    for (const { id, title, space: own } of images.all()) {
      if (title === null) continue;
      for (const space of SPACES) {
        const query = { ...OLDEST_FIRST, filter: { words: searchWords(title) } };
        const page = await wholePage(listImages.page(space, query, CALLER));
        const found = itemsOf(page).some((image) => image.id === id);
        require(found === (space === own), `image ${id} of '${own}' in '${space}', by its title: ${found}`);
      }
    }
  },
  async function digestsFindTheirImages(_, { images }, { ports }) {
    const digests = PICTURES.map(({ sha256 }) => sha256);
    for (const space of SPACES) {
      const found = [...(await ports.images.in(space).findIdsBySha256(digests)).values()]
        .flat()
        .toSorted((a, b) => a - b);
      const expected = images.allIn(space).map(({ id }) => id);
      require(found.join() === expected.join(), `${found.join()} are in '${space}', not ${expected.join()}`);
    }
  },
  async function hashesAreThoseOfTheBytes({ sent }, { images }) {
    for (const { id, originalName } of images.all()) {
      const bytes = sent.get(originalName)?.picture.bytes ?? new Uint8Array();
      const hashes = JSON.stringify(images.hashesOf(id));
      require(hashes === JSON.stringify(factsOf(bytes).hashes), `image ${id} has the hashes ${hashes}`);
    }
  },
  async function anExportThatIsResumedHasTheWholeCatalog(ledger, { images }, process, catalog) {
    for (const kept of catalog.exports.values()) {
      require((await exportInto(kept, catalog, process)) === 0, 'originals could not be exported');
      const exported = images.all().filter(({ space }) => space === (kept.space ?? space));
      hasAll(
        kept.folder,
        exported.map(({ id }) => id),
      );
      hasNothingElse(kept, ledger);
    }
  },
  async function consumersOfTheFeedHaveTheCatalog(_, storage, process, catalog) {
    await requireCopies(catalog, process, storage);
  },
  async function theReceiverOfWebhooksHasTheCatalog(_, storage, process, catalog) {
    await requireDelivered(catalog, process, storage);
  },
  async function aTransferMakesTheSameCatalog(_, source, process, catalog) {
    if (!has(catalog, 'transfer')) return;
    // As if the newest image were deleted, and the newest name were gone with its space.
    await source.images.reserveIds((await source.images.highestId()) + 1);
    await source.names.reserveNumbers((await source.names.highestNumber()) + 1);
    await transferInto(catalog, endsOf(process, catalog.target));
    const isEmpty = (await catalog.target.images.highestId()) === 0;
    if (isEmpty) await transferInto(catalog, endsOf(process, catalog.target));
    const { target } = catalog;
    const [given, next] = [await source.images.highestId(), await target.images.highestId()];
    require(next >= given, 'the target will give ids again');
    const numbers = [await source.names.highestNumber(), await target.names.highestNumber()] as const;
    require(numbers[1] >= numbers[0], 'the target will give numbers of names again');
    const isSame = isDeepStrictEqual(contentOf(target), contentOf(source));
    require(isSame, 'the target of a transfer differs from its source');
    const [here, there] = [await source.spaces.findAll(), await target.spaces.findAll()];
    require(isDeepStrictEqual(here, there), 'the spaces of the target differ from those of its source');
    const [ours, theirs] = [
      await source.changes.readPage(undefined, 1e6),
      await target.changes.readPage(undefined, 1e6),
    ];
    require(isDeepStrictEqual(ours, theirs), 'the feed of the target differs from that of its source');
    for (const { id, uuid } of [...source.images.all(), ...source.trash.all()]) {
      const [one, other] = [source.blobs.bytesOf(uuid), target.blobs.bytesOf(uuid)];
      require(Buffer.compare(one ?? EMPTY, other ?? EMPTY) ===
        0, `image ${id} has other bytes in the target`);
    }
    const blobs = new Set<string>([...source.images.all(), ...source.trash.all()].map(({ uuid }) => uuid));
    const left = target.blobs.keys.filter((key) => !blobs.has(key));
    require(left.length === 0, `orphaned blobs in the target: ${left.join(', ')}`);
  },
];

async function requireCounts(
  { listImages, countPeriods, ports, searches }: CatalogProcess,
  space: Space,
  images: readonly CatalogImage[],
): Promise<void> {
  require((await listImages.count(space, {}, CALLER)) === images.length, `the count of '${space}' is wrong`);
  const days = await countPeriods.execute(space, 'day', {}, CALLER);
  const counted = days.reduce((sum, { count }) => sum + count, 0);
  require(counted === images.length, `the timeline of '${space}' counts other images`);
  const tags = await ports.metadata
    .in(space)
    .list({ prefix: '', order: 'name', limit: 100 }, searches.turnsOf(CALLER, 'page'));
  for (const { tag, count } of tags) {
    const tagged = images.filter((image) => image.tags.includes(tag));
    require(tagged.length === count, `${count} images of '${space}' have the tag ${tag}`);
  }
  const folds = tags.map(({ tag }) => fold(tag));
  require(new Set(folds).size === folds.length, `a tag has two spellings: ${folds.join(', ')}`);
}

function inWords({ images, bytes }: Amount): string {
  return `${images} images of ${bytes} bytes`;
}

function has({ schedule }: SimulatedCatalog, kind: string): boolean {
  return schedule.operations.some((operation) => operation.kind === kind);
}

/** Then a key that is held can be taken over, however often the clock was set back. */
const ABANDONED_MS = 120 * 60_000;

const EMPTY = new Uint8Array();

const OLDEST_FIRST = { sort: { by: 'created', order: 'asc' }, limit: 100 } as const;

function contentOf({ images, trash, names }: Storage): unknown {
  const live = images.all().map((image) => [image, images.metadataOf(image.id), images.hashesOf(image.id)]);
  return [live, trash.all(), names.all()];
}

/** Of refused uploads and deleted images. */
function nothingIsLeftOver({ staging, images, trash, renditions, blobs }: Storage): void {
  const uuids = new Set<string>([...images.all(), ...trash.all()].map(({ uuid }) => uuid));
  const deleted = renditions.keys.filter((key) => !uuids.has(key.slice(0, key.indexOf('/'))));
  require(deleted.length === 0, `renditions of deleted images: ${deleted.join(', ')}`);
  const orphans = blobs.keys.filter((key) => !uuids.has(key));
  require(orphans.length === 0, `orphaned blobs: ${orphans.join(', ')}`);
  require(staging.fileCount === 0, `${staging.fileCount} staged files are left`);
}

function nothingIsHeld({ blobs }: Storage): void {
  require(blobs.openCount === 0, `${blobs.openCount} blobs are still open`);
}

/** The first three undo a failed upload, or complete a removal. After the others, what was opened is not read. */
const LEAVING = new Set([
  'blobs.remove',
  'images.mayBeRecorded',
  'renditions.removeAllOf',
  'blobs.open.read',
  'export.write',
]);

/** Whether processes could undo what has failed: then the sweeper has nothing to do. */
function isUndone({ calls, hasKilled }: SimulatedCatalog): boolean {
  if (hasKilled) return false;
  return calls.injected.every(
    ({ kind, call }) => (kind === 'error' || kind === 'hang') && !LEAVING.has(call),
  );
}

export function checkAlways({ ledger, storage }: SimulatedCatalog): void {
  for (const rule of ALWAYS) rule(ledger, storage);
}

/** After all work. */
export async function checkAtRest(catalog: SimulatedCatalog): Promise<void> {
  const { ledger, storage } = catalog;
  const process = catalog.startUndisturbed();
  if (isUndone(catalog)) {
    nothingIsHeld(storage);
    nothingIsLeftOver(storage);
  }
  catalog.passTime(ABANDONED_MS);
  for (const sent of ledger.sent.values()) await retry(catalog, process, sent);
  await sendRefused(catalog, process);
  await uploadAnother(catalog, process);
  if (has(catalog, 'import')) await importThrough(catalog, process);
  for (let sweep = 0; sweep < 3; sweep += 1) {
    catalog.passTime(2 * GRACE_MS);
    await process.sweep.execute({ dryRun: false });
  }
  checkAlways(catalog);
  for (const rule of AT_REST) await rule(ledger, storage, process, catalog);
}
