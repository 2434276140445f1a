import { expect } from 'chai';
import { DeleteImage } from '../../src/application/delete-image.ts';
import { OpenImageFile } from '../../src/application/files/open-image-file.ts';
import { OpenRendition, RecentUploads } from '../../src/application/files/open-rendition.ts';
import { SweepBlobs } from '../../src/application/maintenance/sweep-blobs.ts';
import { SweepOrphans } from '../../src/application/maintenance/sweep-orphans.ts';
import { SweepTrash } from '../../src/application/maintenance/sweep-trash.ts';
import { UploadImage } from '../../src/application/upload/upload-image.ts';
import { UploadImageOnce } from '../../src/application/upload/upload-image-once.ts';
import { StorageUnavailable } from '../../src/domain/errors.ts';
import type { Image } from '../../src/domain/image/image.ts';
import type { Rendition } from '../../src/domain/image/rendition.ts';
import type { StagedFile } from '../../src/domain/ports/bytes/staging-area.ts';
import { COMMON_SPACE } from '../../src/domain/space/space.ts';
import { FakeImageInspector } from '../support/doubles/fake-image-inspector.ts';
import { FakeRenditionMaker } from '../support/doubles/fake-rendition-maker.ts';
import { InMemoryBlobStore } from '../support/doubles/in-memory-blob-store.ts';
import { InMemoryCatalogIdentity } from '../support/doubles/in-memory-catalog-identity.ts';
import { InMemoryIdempotencyKeys } from '../support/doubles/in-memory-idempotency-keys.ts';
import { InMemoryImageRepository } from '../support/doubles/in-memory-image-repository.ts';
import { InMemoryRenditionCache } from '../support/doubles/in-memory-rendition-cache.ts';
import { InMemoryStagingArea } from '../support/doubles/in-memory-staging-area.ts';
import { InMemorySweepSlices } from '../support/doubles/in-memory-sweep-slices.ts';
import { intercepted } from '../support/doubles/intercepted.ts';
import { ManualClock } from '../support/doubles/manual-clock.ts';
import { RecordingEventLog } from '../support/doubles/recording-event-log.ts';
import { SequentialUuids } from '../support/doubles/sequential-uuids.ts';
import { STAYING } from '../support/doubles/staying.ts';
import { jpegBytes, streamOf } from '../support/fixtures/bytes.ts';
import { newImage } from '../support/fixtures/new-image.ts';

/** One failing call of a port. */
interface Fault {
  /** `port.method` */
  readonly call: string;
  /** `before`: the call fails instead of doing its work. `after`: it does its work and its result is lost. */
  readonly moment: 'before' | 'after';
  /** Which of the calls of the method, from 1. */
  readonly nth: number;
  readonly error: Error;
}

interface Row {
  readonly faults: readonly Fault[];
  readonly ends: 'rejects' | 'resolves';
  /** Records in the catalog afterwards. */
  readonly images: number;
  /** Blobs without a record afterwards, which the use case documents as removed by the sweeper. */
  readonly orphans: number;
  /** Idempotency keys held afterwards, until another upload may take them over. None if left out. */
  readonly heldKeys?: number;
}

interface Scenario {
  readonly useCase: string;
  arrange(world: World): Promise<void>;
  /** Runs the use case on ports that may fail. */
  act(ports: World, world: World): Promise<unknown>;
  readonly rows: readonly Row[];
}

class World {
  readonly clock = new ManualClock();
  readonly keys = new InMemoryIdempotencyKeys(this.clock);
  readonly identity = new InMemoryCatalogIdentity();
  readonly images = new InMemoryImageRepository(this.clock, this.keys);
  readonly changes = this.images.changes;
  readonly names = this.images.names;
  /** Streams even the smallest blob, so that the tests detect one that is not closed. */
  readonly blobs = new InMemoryBlobStore(0, this.clock);
  readonly slices = new InMemorySweepSlices(this.clock);
  readonly maker = new FakeRenditionMaker();
  readonly renditions = new InMemoryRenditionCache();
  readonly staging = new InMemoryStagingArea();
  readonly inspector = new FakeImageInspector();
  readonly uuids = new SequentialUuids();
  readonly log = new RecordingEventLog();

  /** Adds an image with its blob. */
  async add(): Promise<Image> {
    const image = await this.images.in(COMMON_SPACE).add(newImage({ size: jpegBytes().byteLength }));
    const staged = await this.stage();
    await this.blobs.put(image.uuid, staged);
    await staged.discard();
    return image;
  }

  stage(): ReturnType<InMemoryStagingArea['receive']> {
    return this.staging.receive(streamOf(jpegBytes()), { maxBytes: 1000, checkHead: () => {} });
  }

  /** Stages a file and discards it after use, as the caller of an upload does. */
  async withStaged<T>(use: (file: StagedFile) => Promise<T>): Promise<T> {
    const staged = await this.stage();
    try {
      return await use(staged);
    } finally {
      await staged.discard();
    }
  }

  /** Adds a blob without a record, with a rendition, and the staged file of a process that has ended. */
  async addLitter(): Promise<void> {
    const staged = await this.stage();
    await this.blobs.put(ORPHAN, staged);
    await staged.discard();
    await this.renditions.put({ uuid: ORPHAN, name: 'small.webp' }, jpegBytes());
    this.staging.leftovers.add('left.part');
  }

  async newest(): Promise<Image> {
    const [image] = await this.images.findPage({ order: 'desc', limit: 1 });
    return image ?? { ...newImage(), id: 1, createdAt: new Date(0) };
  }
}

const ORPHAN = 'ffffffff-3c1b-4a53-9f0a-6d2f8c7b1e42';
const GRACE_MS = 1000;
const SMALL: Rendition = { width: 320, fit: 'inside', format: 'webp', quality: 75 };
const KEY = { scope: 'alice', key: 'a key' };

type UploadPorts = Pick<World, 'images' | 'blobs' | 'inspector' | 'uuids' | 'keys'>;

async function uploadOnce(
  { images, blobs, inspector, uuids, keys }: UploadPorts,
  world: World,
): Promise<unknown> {
  const once = new UploadImageOnce(new UploadImage(images, blobs, inspector, uuids), images, keys);
  return await world.withStaged((staged) =>
    once.execute(
      {
        space: COMMON_SPACE,
        originalName: 'cat.jpg',
        mediaType: 'image/jpeg',
        staged,
        requester: { signal: STAYING, subject: 'a' },
      },
      KEY,
    ),
  );
}

/** The sweeper removes the blob of the first upload before its record is made; the client sends it again. */
async function uploadSweptThenRetry(ports: World, world: World): Promise<unknown> {
  const swept = intercepted(ports.blobs, async (method, proceed) => {
    const result = await proceed();
    if (method !== 'put') return result;
    for (const key of world.blobs.keys) {
      await world.images.removeUnrecorded(key, () => world.blobs.remove(key));
    }
    return result;
  });
  const { images, inspector, uuids, keys } = ports;
  await uploadOnce({ images, blobs: swept, inspector, uuids, keys }, world).catch(() => undefined);
  return await uploadOnce(ports, world);
}

async function openRendition({ images, blobs, renditions, maker, log }: World, world: World): Promise<void> {
  const opener = new OpenRendition(
    { images, cache: renditions, uploads: new RecentUploads(0) },
    new OpenImageFile(images, blobs),
    maker,
    log,
  );
  const { bytes } = await opener.execute(await world.newest(), SMALL, {
    leaving: () => STAYING,
    subject: 'alice',
    log,
  });
  await bytes.close();
}

/** Sweeps twice, with the grace in between. */
async function sweepTwice(ports: World, world: World): Promise<void> {
  const limits = { graceMs: GRACE_MS, maxUploadMs: GRACE_MS, changesMs: GRACE_MS };
  const { identity, images, slices, blobs, keys, changes, names, staging, renditions, log } = ports;
  const swept = { identity, images, slices, blobs, sharedRenditions: undefined };
  const sweepBlobs = new SweepBlobs(swept, world.clock, 'a', GRACE_MS, log);
  const storage = { images, keys, changes, names, staging, ownRenditions: renditions };
  const clocks = { wall: world.clock, steady: world.clock };
  const sweepTrash = new SweepTrash(images.trash, { blobs, renditions }, clocks, undefined, log);
  const sweep = { blobs: sweepBlobs, trash: sweepTrash };
  const sweepOrphans = new SweepOrphans(storage, sweep, world.clock, limits, log);
  for (let sweep = 1; sweep <= 2; sweep += 1) {
    world.clock.advance(GRACE_MS);
    await sweepOrphans.execute({ dryRun: false });
  }
}

function fails(call: string, nth = 1): Fault {
  return { call, moment: 'before', nth, error: new StorageUnavailable() };
}

function losesItsResult(call: string): Fault {
  return { call, moment: 'after', nth: 1, error: new StorageUnavailable() };
}

const SCENARIOS: readonly Scenario[] = [
  {
    useCase: 'UploadImage',
    arrange: async () => {},
    act: async ({ images, blobs, inspector, uuids }, world) => {
      const uploadImage = new UploadImage(images, blobs, inspector, uuids);
      await world.withStaged((staged) =>
        uploadImage.execute({
          space: COMMON_SPACE,
          originalName: 'cat.jpg',
          mediaType: 'image/jpeg',
          staged,
          requester: { signal: STAYING, subject: 'a' },
        }),
      );
    },
    rows: [
      { faults: [], ends: 'resolves', images: 1, orphans: 0 },
      { faults: [fails('inspector.inspect')], ends: 'rejects', images: 0, orphans: 0 },
      { faults: [fails('uuids.next')], ends: 'rejects', images: 0, orphans: 0 },
      { faults: [fails('blobs.put')], ends: 'rejects', images: 0, orphans: 0 },
      { faults: [fails('images.add')], ends: 'rejects', images: 0, orphans: 0 },
      { faults: [losesItsResult('images.add')], ends: 'rejects', images: 1, orphans: 0 },
      {
        faults: [fails('images.add'), fails('images.mayBeRecorded')],
        ends: 'rejects',
        images: 0,
        orphans: 1,
      },
      {
        faults: [losesItsResult('images.add'), fails('images.mayBeRecorded')],
        ends: 'rejects',
        images: 1,
        orphans: 0,
      },
      { faults: [fails('images.add'), fails('blobs.remove')], ends: 'rejects', images: 0, orphans: 1 },
      {
        faults: [fails('images.add'), losesItsResult('blobs.remove')],
        ends: 'rejects',
        images: 0,
        orphans: 0,
      },
    ],
  },
  {
    useCase: 'DeleteImage',
    arrange: async (world) => void (await world.add()),
    act: async ({ images, blobs, renditions, log }, world) =>
      await new DeleteImage(images, { blobs, renditions }).execute(COMMON_SPACE, (await world.newest()).id, {
        log,
      }),
    rows: [
      { faults: [], ends: 'resolves', images: 0, orphans: 0 },
      { faults: [fails('images.findById')], ends: 'rejects', images: 1, orphans: 0 },
      { faults: [fails('images.removeById')], ends: 'rejects', images: 1, orphans: 0 },
      { faults: [losesItsResult('images.removeById')], ends: 'rejects', images: 0, orphans: 1 },
      { faults: [fails('blobs.remove')], ends: 'resolves', images: 0, orphans: 1 },
      { faults: [losesItsResult('blobs.remove')], ends: 'resolves', images: 0, orphans: 0 },
      { faults: [fails('renditions.removeAllOf')], ends: 'resolves', images: 0, orphans: 0 },
      {
        faults: [fails('blobs.remove'), fails('renditions.removeAllOf')],
        ends: 'resolves',
        images: 0,
        orphans: 1,
      },
    ],
  },
  {
    useCase: 'UploadImageOnce',
    arrange: async () => {},
    act: uploadOnce,
    rows: [
      { faults: [], ends: 'resolves', images: 1, orphans: 0 },
      { faults: [fails('keys.claim')], ends: 'rejects', images: 0, orphans: 0 },
      { faults: [losesItsResult('keys.claim')], ends: 'rejects', images: 0, orphans: 0, heldKeys: 1 },
      { faults: [fails('inspector.inspect')], ends: 'rejects', images: 0, orphans: 0 },
      { faults: [fails('uuids.next')], ends: 'rejects', images: 0, orphans: 0 },
      { faults: [fails('blobs.put')], ends: 'rejects', images: 0, orphans: 0 },
      { faults: [fails('images.add')], ends: 'rejects', images: 0, orphans: 0 },
      { faults: [losesItsResult('images.add')], ends: 'rejects', images: 1, orphans: 0 },
      {
        faults: [fails('images.add'), fails('images.mayBeRecorded')],
        ends: 'rejects',
        images: 0,
        orphans: 1,
      },
      { faults: [fails('images.add'), fails('blobs.remove')], ends: 'rejects', images: 0, orphans: 1 },
      {
        faults: [fails('images.add'), fails('keys.release')],
        ends: 'rejects',
        images: 0,
        orphans: 0,
        heldKeys: 1,
      },
      {
        faults: [fails('images.add'), losesItsResult('keys.release')],
        ends: 'rejects',
        images: 0,
        orphans: 0,
      },
    ],
  },
  {
    useCase: 'UploadImageOnce after an upload whose blob was swept',
    arrange: async () => {},
    act: uploadSweptThenRetry,
    rows: [
      { faults: [], ends: 'resolves', images: 1, orphans: 0 },
      { faults: [fails('keys.claim')], ends: 'resolves', images: 1, orphans: 0 },
      { faults: [fails('inspector.inspect')], ends: 'resolves', images: 1, orphans: 0 },
      { faults: [fails('uuids.next')], ends: 'resolves', images: 1, orphans: 0 },
      { faults: [fails('blobs.put')], ends: 'resolves', images: 1, orphans: 0 },
      { faults: [fails('images.add')], ends: 'resolves', images: 1, orphans: 0 },
      { faults: [losesItsResult('images.add')], ends: 'resolves', images: 1, orphans: 0 },
      { faults: [fails('images.mayBeRecorded')], ends: 'resolves', images: 1, orphans: 0 },
      { faults: [fails('blobs.remove')], ends: 'resolves', images: 1, orphans: 0 },
      { faults: [losesItsResult('keys.release')], ends: 'resolves', images: 1, orphans: 0 },
    ],
  },
  {
    useCase: 'SweepOrphans',
    arrange: async (world) => {
      await world.blobs.claim(await world.identity.establish());
      await world.add();
      await world.addLitter();
    },
    act: sweepTwice,
    rows: [
      { faults: [], ends: 'resolves', images: 1, orphans: 0 },
      { faults: [fails('staging.findLeftovers')], ends: 'rejects', images: 1, orphans: 1 },
      { faults: [fails('staging.removeLeftover')], ends: 'rejects', images: 1, orphans: 1 },
      { faults: [fails('keys.removeClaimedBefore')], ends: 'rejects', images: 1, orphans: 1 },
      { faults: [fails('changes.removeOlder')], ends: 'rejects', images: 1, orphans: 1 },
      { faults: [fails('names.forgetRemoved')], ends: 'rejects', images: 1, orphans: 1 },
      { faults: [fails('slices.prefixes')], ends: 'rejects', images: 1, orphans: 1 },
      { faults: [fails('slices.take')], ends: 'rejects', images: 1, orphans: 1 },
      { faults: [fails('slices.finish')], ends: 'rejects', images: 1, orphans: 1 },
      { faults: [losesItsResult('slices.finish')], ends: 'rejects', images: 1, orphans: 1 },
      { faults: [fails('blobs.list')], ends: 'rejects', images: 1, orphans: 1 },
      { faults: [fails('images.findUuidsAmong')], ends: 'rejects', images: 1, orphans: 1 },
      { faults: [fails('renditions.listImages')], ends: 'rejects', images: 1, orphans: 1 },
      { faults: [fails('images.findUuidsAmong', 2)], ends: 'rejects', images: 1, orphans: 1 },
      { faults: [fails('renditions.removeAllOf')], ends: 'rejects', images: 1, orphans: 1 },
      { faults: [fails('blobs.list', 2)], ends: 'rejects', images: 1, orphans: 1 },
      { faults: [fails('images.findUuidsAmong', 3)], ends: 'rejects', images: 1, orphans: 1 },
      { faults: [fails('identity.find')], ends: 'rejects', images: 1, orphans: 1 },
      { faults: [fails('blobs.owner')], ends: 'rejects', images: 1, orphans: 1 },
      { faults: [fails('blobs.owner', 2)], ends: 'rejects', images: 1, orphans: 1 },
      { faults: [fails('images.removeUnrecorded')], ends: 'rejects', images: 1, orphans: 1 },
      { faults: [fails('blobs.remove')], ends: 'rejects', images: 1, orphans: 1 },
      { faults: [losesItsResult('blobs.remove')], ends: 'rejects', images: 1, orphans: 0 },
    ],
  },
  {
    useCase: 'OpenRendition',
    arrange: async (world) => void (await world.add()),
    act: openRendition,
    rows: [
      { faults: [], ends: 'resolves', images: 1, orphans: 0 },
      { faults: [fails('renditions.open')], ends: 'resolves', images: 1, orphans: 0 },
      { faults: [fails('renditions.open', 2)], ends: 'resolves', images: 1, orphans: 0 },
      { faults: [fails('maker.make')], ends: 'rejects', images: 1, orphans: 0 },
      { faults: [losesItsResult('maker.make')], ends: 'rejects', images: 1, orphans: 0 },
      { faults: [fails('blobs.open')], ends: 'rejects', images: 1, orphans: 0 },
      { faults: [fails('renditions.put')], ends: 'resolves', images: 1, orphans: 0 },
      { faults: [fails('images.findById')], ends: 'resolves', images: 1, orphans: 0 },
    ],
  },
  {
    useCase: 'OpenRendition of an image that is deleted at the same time',
    arrange: async (world) => {
      const { id, uuid } = await world.add();
      world.maker.whileEncoding = async () => {
        await world.images.in(COMMON_SPACE).removeById(id);
        await world.blobs.remove(uuid);
      };
    },
    act: openRendition,
    rows: [
      { faults: [], ends: 'resolves', images: 0, orphans: 0 },
      { faults: [fails('renditions.removeAllOf')], ends: 'resolves', images: 0, orphans: 0 },
      { faults: [fails('images.findById')], ends: 'resolves', images: 0, orphans: 0 },
      { faults: [fails('renditions.put')], ends: 'resolves', images: 0, orphans: 0 },
      { faults: [fails('renditions.open')], ends: 'resolves', images: 0, orphans: 0 },
      { faults: [fails('maker.make')], ends: 'rejects', images: 1, orphans: 0 },
      { faults: [fails('blobs.open')], ends: 'rejects', images: 1, orphans: 0 },
    ],
  },
  {
    useCase: 'OpenImageFile',
    arrange: async (world) => void (await world.add()),
    act: async ({ images, blobs }, world) => {
      const opened = await new OpenImageFile(images, blobs).execute(await world.newest());
      await opened.close();
    },
    rows: [
      { faults: [], ends: 'resolves', images: 1, orphans: 0 },
      { faults: [fails('blobs.open')], ends: 'rejects', images: 1, orphans: 0 },
    ],
  },
  {
    useCase: 'OpenImageFile of a deleted image',
    arrange: async () => {},
    act: async ({ images, blobs }, world) =>
      await new OpenImageFile(images, blobs).execute(await world.newest()),
    rows: [
      { faults: [fails('blobs.open')], ends: 'rejects', images: 0, orphans: 0 },
      { faults: [fails('images.findById')], ends: 'rejects', images: 0, orphans: 0 },
    ],
  },
];

describe('When a port fails', () => {
  for (const scenario of SCENARIOS) {
    describe(scenario.useCase, () => {
      for (const row of scenario.rows) {
        it(titleOf(row), async () => {
          const { world, thrown, pending } = await play(scenario, row.faults);

          expect(thrown).to.equal(row.ends === 'rejects' ? row.faults[0]?.error : undefined);
          expect(pending).to.deep.equal([]);
          expect(await stateOf(world)).to.deep.equal({
            images: row.images,
            imagesWithoutBlob: 0,
            orphans: row.orphans,
            stagedFiles: 0,
            openedBlobs: 0,
            heldKeys: row.heldKeys ?? 0,
          });
        });
      }

      it('has a row in the table for every call that it makes', async () => {
        const made = new Set<string>();
        for (const { faults } of scenario.rows) {
          for (const call of (await play(scenario, faults)).calls) made.add(call);
        }

        const inTable = scenario.rows.flatMap(({ faults }) => faults.map(({ call }) => call));
        // A failure to log is not tested: the use cases guarantee nothing about it.
        expect([...made].filter((call) => call !== 'log.warn')).to.have.members([...new Set(inTable)]);
      });
    });
  }
});

interface Outcome {
  readonly world: World;
  readonly thrown: unknown;
  readonly calls: ReadonlySet<string>;
  /** Faults that did not occur: a row with one of them tests nothing. */
  readonly pending: readonly Fault[];
}

async function play(scenario: Scenario, faults: readonly Fault[]): Promise<Outcome> {
  const world = new World();
  await scenario.arrange(world);
  const calls = new Map<string, number>();
  const pending = new Set(faults);
  const thrown = await scenario.act(withFaults(world, calls, pending), world).then(
    () => undefined,
    (error: unknown) => error,
  );
  return { world, thrown, calls: new Set(calls.keys()), pending: [...pending] };
}

/** The same world, with ports that count their calls in `calls` and move their faults out of `pending`. */
function withFaults(world: World, calls: Map<string, number>, pending: Set<Fault>): World {
  const behind = <Port extends object>(name: string, port: Port): Port =>
    intercepted(port, (method, proceed) => {
      const call = `${name}.${method}`;
      const nth = (calls.get(call) ?? 0) + 1;
      calls.set(call, nth);
      const fault = [...pending].find((candidate) => candidate.call === call && candidate.nth === nth);
      if (fault === undefined) return proceed();
      pending.delete(fault);
      if (fault.moment === 'before') throw fault.error;
      return Promise.resolve(proceed()).then(() => Promise.reject(fault.error));
    });
  const ports = Object.entries(world).map(([name, port]: [string, object]) => [name, behind(name, port)]);
  return Object.fromEntries(ports) as World;
}

async function stateOf({
  images,
  blobs,
  staging,
  keys: held,
}: World): Promise<Readonly<Record<string, number>>> {
  const recorded = await images.findPage({ order: 'asc', limit: 10_000 });
  const uuids = new Set(recorded.map(({ uuid }) => uuid));
  const keys = new Set(blobs.keys);
  return {
    images: uuids.size,
    imagesWithoutBlob: [...uuids].filter((uuid) => !keys.has(uuid)).length,
    orphans: [...keys].filter((key) => !uuids.has(key)).length,
    stagedFiles: staging.fileCount,
    openedBlobs: blobs.openCount,
    heldKeys: held.heldCount,
  };
}

function titleOf({ faults, ends, orphans, heldKeys = 0 }: Row): string {
  const causes = faults.map(({ call, moment, nth }) => {
    const which = nth === 1 ? call : `${call} no. ${nth}`;
    return moment === 'before' ? `${which} fails` : `the result of ${which} is lost`;
  });
  const remaining = [orphans > 0 && 'an orphaned blob remains', heldKeys > 0 && 'a held key remains'];
  const effects = remaining.filter((what) => what !== false).join(' and ') || 'nothing leaks';
  return `${ends} when ${causes.join(' and ') || 'no call fails'}, and ${effects}`;
}
