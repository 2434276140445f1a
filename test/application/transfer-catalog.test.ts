import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { TransferCatalog } from '../../src/application/maintenance/transfer/transfer-catalog.ts';
import type {
  TransferOptions,
  TransferPlan,
  TransferReport,
  TransferTarget,
} from '../../src/application/maintenance/transfer/transfer-plan.ts';
import { TransferRefused } from '../../src/application/maintenance/transfer/transfer-refused.ts';
import type { Finding } from '../../src/application/maintenance/verify-catalog.ts';
import { StorageUnavailable } from '../../src/domain/errors.ts';
import type { Image } from '../../src/domain/image/image.ts';
import { NO_METADATA } from '../../src/domain/image/image-metadata.ts';
import type { Name } from '../../src/domain/name/name.ts';
import { COPIED_TABLES } from '../../src/domain/ports/records/copied-tables.ts';
import type { OwnedImage } from '../../src/domain/ports/records/image-repository.ts';
import type { NewLinkKey } from '../../src/domain/ports/records/link-keys.ts';
import { COMMON_SPACE, type Space } from '../../src/domain/space/space.ts';
import { claimed } from '../contracts/idempotency-keys.contract.ts';
import { CatalogDoubles } from '../support/doubles/catalog-doubles.ts';
import { InMemoryMetadata } from '../support/doubles/in-memory-metadata.ts';
import { InMemoryTables } from '../support/doubles/in-memory-tables.ts';
import { InMemoryWebhookEndpoints } from '../support/doubles/in-memory-webhook-endpoints.ts';
import { failing, intercepted, losingAnswer } from '../support/doubles/intercepted.ts';
import { EIO, UNREADABLE, withUnreadable } from '../support/doubles/unreadable-blob.ts';
import { collect, jpegBytes, streamOf } from '../support/fixtures/bytes.ts';
import { imageHashes } from '../support/fixtures/image-hashes.ts';
import { newImage } from '../support/fixtures/new-image.ts';
import { rejection } from '../support/fixtures/rejection.ts';
import { settled } from '../support/time/gate.ts';
import { ManualClock } from '../support/time/manual-clock.ts';

const GRACE_MS = 60_000;
const PLAN: TransferPlan = { records: true, blobs: true, jobs: 4, graceMs: GRACE_MS };
/** More than one batch of records. */
const MANY = 250;

/** A catalog in memory: test doubles of its ports, and the images as a client knows them. */
class Catalog extends CatalogDoubles implements TransferTarget {
  readonly spaces = this.images.spaces;
  readonly trash = this.images.trash;
  readonly names = this.images.names;
  readonly changes = this.images.changes;
  readonly webhookEndpoints = new InMemoryWebhookEndpoints(this.changes, this.clock);
  readonly tables = new InMemoryTables(this);

  constructor(clock: ManualClock) {
    super(clock, 100);
  }

  async add(content = `picture ${Math.random()}`, key?: string, space = COMMON_SPACE): Promise<OwnedImage> {
    const bytes = jpegBytes(content);
    const image = newImage({ size: bytes.byteLength, sha256: sha256Of(bytes) });
    await this.put(image.uuid, bytes);
    const claim =
      key === undefined ? undefined : await claimed(this.keys, { space, key, sha256: image.sha256 });
    return { ...(await this.images.in(space).add(image, claim, undefined, 'a client')), space };
  }

  async addMany(count: number): Promise<readonly OwnedImage[]> {
    const added: OwnedImage[] = [];
    for (let number = 0; number < count; number += 1) {
      this.clock.advance(1);
      added.push(await this.add(`picture ${number} ${'x'.repeat((number * 97) % 200)}`));
    }
    return added;
  }

  async delete({ id, uuid }: Image): Promise<void> {
    await this.images.in(COMMON_SPACE).removeById(id);
    await this.blobs.remove(uuid);
  }

  async all(): Promise<readonly Image[]> {
    return await this.images.findPage({ order: 'asc', limit: 10_000 });
  }
}

function linkKey(secret: string): NewLinkKey {
  return { secret: Buffer.from(secret), createdAt: new Date(0) };
}

function sha256Of(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

let clock: ManualClock;
let source: Catalog;
let target: Catalog;
let findings: Finding[];

function useCatalogs(): void {
  beforeEach(() => {
    clock = new ManualClock();
    source = new Catalog(clock);
    target = new Catalog(clock);
    findings = [];
  });

  afterEach(() => {
    expect(source.blobs.openCount, 'blobs left open').to.equal(0);
    expect(target.staging.fileCount, 'files left in the staging area').to.equal(0);
  });
}

async function transfer(
  options: Partial<TransferOptions> = {},
  ports: {
    from?: Partial<TransferTarget>;
    to?: Partial<TransferTarget>;
    plan?: Partial<TransferPlan>;
  } = {},
): Promise<TransferReport> {
  const [from, to] = [portsOf(source, ports.from), portsOf(target, ports.to)];
  const plan = { ...PLAN, ...ports.plan };
  return await new TransferCatalog({ source: from, target: to }, clock, plan).execute({
    resume: false,
    stopped: new AbortController().signal,
    onProgress: () => {},
    onFinding: (finding) => findings.push(finding),
    ...options,
  });
}

function portsOf(
  { identity, images, trash, names, tables, blobs, staging }: Catalog,
  other: Partial<TransferTarget> = {},
): TransferTarget {
  return { identity, images, trash, names, tables, blobs, staging, ...other };
}

/** The source, where `act` runs at the `nth` call of the transfer to one of its ports. */
function meanwhile(
  nth: number,
  act: () => Promise<unknown>,
  port: 'images' | 'trash' = 'images',
): Partial<TransferTarget> {
  let calls = 0;
  const watched = intercepted<object>(source[port], async (_method, proceed) => {
    calls += 1;
    if (calls === nth) await act();
    return proceed();
  });
  return { [port]: watched };
}

/** Expects the same records on both sides, and in the target exactly the bytes of these. */
async function expectEqual(except: readonly Image[] = []): Promise<void> {
  const left = new Set(except.map(({ id }) => id));
  const expected = (await source.all()).filter(({ id }) => !left.has(id));
  expect(await target.all()).to.deep.equal(expected);
  expect(target.blobs.keys).to.have.members(expected.map(({ uuid }) => uuid));
  for (const { uuid, sha256 } of expected) {
    const blob = await target.blobs.open(uuid);
    expect(sha256Of(await collect(blob?.read() ?? streamOf(new Uint8Array(0))))).to.equal(sha256);
  }
}

describe('TransferCatalog into an empty target', () => {
  useCatalogs();

  it('copies every image unchanged, with its bytes', async () => {
    const added = await source.addMany(MANY);

    const report = await transfer();

    await expectEqual();
    expect(report).to.deep.equal({
      outcome: 'complete',
      passes: 2,
      compared: MANY,
      images: MANY,
      bytes: added.reduce((sum, { size }) => sum + size, 0),
      removed: 0,
      leftovers: 0,
      keys: 0,
      findings: 0,
    });
  });

  it('copies more keys than one page', async () => {
    for (let number = 0; number < 1_001; number += 1) await source.add('same', `key ${number}`);

    expect(await transfer()).to.include({ keys: 1_001 });
    expect(target.keys.completed()).to.have.length(1_001);
  });

  it('copies as many blobs at a time as configured', async () => {
    await source.addMany(20);
    let [now, most] = [0, 0];
    const counted = async (proceed: () => unknown): Promise<void> => {
      now += 1;
      most = Math.max(most, now);
      await settled();
      await proceed();
      now -= 1;
    };
    const blobs = intercepted(target.blobs, (method, proceed) =>
      method === 'put' ? counted(proceed) : proceed(),
    );

    await transfer({}, { to: { blobs }, plan: { jobs: 3 } });

    expect(most).to.equal(3);
  });

  it('reports its progress', async () => {
    await source.addMany(MANY);
    const seen: number[] = [];

    await transfer({ onProgress: ({ images }) => seen.push(images) });

    expect(seen).to.include.members([100, 200, MANY]);
  });
});

describe('TransferCatalog for clients of the source', () => {
  useCatalogs();

  it('makes the target continue after the highest id that the source has ever assigned', async () => {
    const [, , newest = never()] = await source.addMany(3);
    await source.delete(newest);
    await transfer();

    expect((await target.add()).id).to.be.greaterThan(newest.id);
  });

  it('has each table of the source in place of its own', async () => {
    const { id } = await source.add('picture', 'a key');
    await source.names.in(COMMON_SPACE).set('hero' as Name, id, {});
    for (const [catalog, text] of [
      [source, 'source'],
      [target, 'target'],
    ] as const) {
      await catalog.spaces.setLimits(text as Space, { images: 7 });
      await catalog.linkKeys.rotate(linkKey(text), []);
      catalog.changes.actors = [text];
      await catalog.webhookEndpoints.register([`https://${text}.example.com/`]);
    }

    await transfer();

    for (const table of COPIED_TABLES) {
      const rows = await source.tables.readRows(table, undefined, 100);
      expect(rows, table).not.to.deep.equal([]);
      expect(await target.tables.readRows(table, undefined, 100), table).to.deep.equal(rows);
    }
  });

  it('gives no number and no version of a name again that went with its space', async () => {
    const cats = 'cats' as Space;
    const [image, other] = [await source.add(), await source.add('of cats', undefined, cats)];
    const { named } = await source.names.in(cats).set('a' as Name, other.id, {});
    await source.images.in(cats).removeById(other.id);
    await source.spaces.forget(cats);
    await transfer();

    const later = await target.names.in(COMMON_SPACE).set('b' as Name, image.id, {});
    expect(later.named.number).to.be.above(named.number);
    expect(later.named.version).to.be.above(named.version);
  });
});

describe('TransferCatalog with bytes that do not match their record', () => {
  useCatalogs();

  it('reports a missing blob and copies the others', async () => {
    const [lost = never()] = await source.addMany(3);
    await source.blobs.remove(lost.uuid);

    const report = await transfer();

    expect(report).to.include({ outcome: 'complete', images: 2, findings: 1 });
    expect(findings).to.have.length(1);
    expect(findings[0]).to.include({ problem: 'missing', imageId: lost.id, blobKey: lost.uuid });
    await expectEqual([lost]);
  });

  const DAMAGES: ReadonlyArray<readonly [string, (bytes: Uint8Array) => Uint8Array]> = [
    ['altered', (bytes) => bytes.with(5, (bytes[5] ?? 0) ^ 1)],
    ['shorter', (bytes) => bytes.slice(0, -1)],
    ['longer', (bytes) => Uint8Array.of(...bytes, 0)],
  ];
  for (const [what, damage] of DAMAGES) {
    it(`reports a blob that is ${what}, and does not store it`, async () => {
      const bytes = jpegBytes('a picture of more than a hundred bytes '.repeat(4));
      const image = newImage({ size: bytes.byteLength, sha256: sha256Of(bytes) });
      await source.put(image.uuid, damage(bytes));
      const damaged = await source.images.in(COMMON_SPACE).add(image);
      await source.addMany(2);

      expect(await transfer()).to.include({ outcome: 'complete', images: 2, findings: 1 });
      expect(findings[0]).to.include({ problem: 'damaged', imageId: damaged.id });
      await expectEqual([damaged]);
    });
  }

  for (const [how, when, error] of UNREADABLE) {
    it(`reports a blob that cannot be read ${how}, and copies the others`, async () => {
      const [broken = never()] = await source.addMany(3);
      const blobs = withUnreadable(source.blobs, broken.uuid, { when, error });

      expect(await transfer({}, { from: { blobs } })).to.include({ outcome: 'complete', images: 2 });
      expect(findings).to.deep.equal([
        {
          problem: 'damaged',
          imageId: broken.id,
          blobKey: broken.uuid,
          detail: `the blob cannot be read: ${EIO.message}`,
        },
      ]);
      await expectEqual([broken]);
    });

    it(`copies a blob that cannot be read ${how} once`, async () => {
      const [image = never()] = await source.addMany(1);
      const blobs = withUnreadable(source.blobs, image.uuid, { when, error, times: 1 });

      expect(await transfer({}, { from: { blobs } })).to.include({ outcome: 'complete', findings: 0 });
      await expectEqual();
    });
  }

  it('does not report an image that is deleted before it is copied', async () => {
    const [gone] = await source.addMany(2);
    const blobs = intercepted(source.blobs, async (method, proceed) => {
      if (method === 'open' && gone !== undefined) await source.delete(gone);
      return proceed();
    });

    expect(await transfer({}, { from: { blobs } })).to.include({ outcome: 'complete', findings: 0 });
    await expectEqual();
  });
});

/** What happens to an image of the trash between two runs. */
const SINCE: ReadonlyArray<readonly [string, (image: OwnedImage) => Promise<unknown>]> = [
  ['restored', ({ space, id }) => source.trash.in(space).restore(id)],
  [
    'erased',
    async ({ space, id, uuid }) => {
      await source.trash.in(space).erase(id);
      await source.blobs.remove(uuid);
    },
  ],
  [
    'restored and deleted again',
    async ({ space, id }) => {
      await source.trash.in(space).restore(id);
      clock.advance(1_000);
      await source.images.in(space).removeById(id, 'another', 'trash');
    },
  ],
  ['given to another space', () => source.spaces.rename(COMMON_SPACE, 'alice' as Space)],
  [
    'restored and given to another space',
    async ({ space, id }) => {
      await source.trash.in(space).restore(id);
      await source.spaces.rename(COMMON_SPACE, 'alice' as Space);
    },
  ],
  [
    'restored, changed and deleted again at the same time by the clock',
    async ({ space, id }) => {
      await source.trash.in(space).restore(id);
      await new InMemoryMetadata(source.images).in(space).patch(id, { title: 'Another' });
      await source.images.in(space).removeById(id, 'somebody', 'trash');
    },
  ],
];

describe('TransferCatalog with a trash', () => {
  useCatalogs();

  async function trashed(catalog = source, count = 1): Promise<readonly OwnedImage[]> {
    const images = await catalog.addMany(count);
    for (const { id, space } of images) await catalog.images.in(space).removeById(id, 'somebody', 'trash');
    return images;
  }

  async function expectSameTrash(): Promise<void> {
    expect(await target.trash.findAll(0, 1_000)).to.deep.equal(await source.trash.findAll(0, 1_000));
    expect(target.blobs.keys.toSorted()).to.deep.equal(source.blobs.keys.toSorted());
    expect(await target.all()).to.deep.equal(await source.all());
    expect(await target.spaces.recount()).to.deep.equal([]);
  }

  for (const [what, act] of SINCE) {
    it(`follows what was ${what} since an earlier transfer`, async () => {
      const [image] = await trashed();
      await source.add();
      await transfer();
      await act(image as OwnedImage);

      expect(await transfer({ resume: true })).to.include({ outcome: 'complete', findings: 0 });

      await expectSameTrash();
    });
  }

  for (const [port, calls] of [
    ['images', [1, 2, 3, 4, 5, 6, 7, 8]],
    ['trash', [1, 2]],
  ] as const) {
    for (const nth of calls) {
      it(`follows moves to and from it during the transfer, at call ${nth} to the ${port}`, async () => {
        const [first = never()] = await trashed(source, 3);
        const second = await source.add();
        const act = async (): Promise<void> => {
          await source.trash.in(COMMON_SPACE).restore(first.id);
          await source.images.in(COMMON_SPACE).removeById(second.id, undefined, 'trash');
        };

        const report = await transfer({}, { from: meanwhile(nth, act, port) });

        expect(report).to.include({ outcome: 'complete', findings: 0 });
        await expectSameTrash();
      });
    }
  }
});

describe('TransferCatalog while the source is in use', () => {
  useCatalogs();

  for (let nth = 1; nth <= 8; nth += 1) {
    it(`copies images that are added and removes deleted ones, at call ${nth}`, async () => {
      const [first, second] = await source.addMany(MANY);
      const from = meanwhile(nth, async () => {
        await source.delete(first ?? never());
        await source.add('new', 'a key');
        await source.delete(second ?? never());
      });

      expect(await transfer({}, { from })).to.include({ outcome: 'complete' });
      await expectEqual();
    });
  }

  it('keeps an image that another transfer copies between the reading of both sides', async () => {
    await source.addMany(3);
    await transfer();
    let calls = 0;
    const images = intercepted(target.images, async (method, proceed) => {
      if (method === 'findPage') calls += 1;
      // The first two calls are those of the check before any change.
      if (method === 'findPage' && calls === 3) await copyAnother();
      return proceed();
    });

    const report = await transfer({ resume: true }, { to: { images } });

    expect(report).to.include({ outcome: 'complete', removed: 0 });
    await expectEqual();
  });

  async function copyAnother(): Promise<void> {
    const bytes = jpegBytes('new');
    const image = await source.add('new');
    await target.put(image.uuid, bytes);
    await target.images.restore([{ ...image, space: COMMON_SPACE }]);
  }

  it('reports that the target is behind if images are added in every pass, and can catch up', async () => {
    await source.addMany(2);
    const images = intercepted(target.images, async (method, proceed) => {
      if (method === 'restore') await source.add();
      return proceed();
    });

    expect(await transfer({}, { to: { images } })).to.include({ outcome: 'behind' });
    expect(await transfer({ resume: true })).to.include({ outcome: 'complete' });
    await expectEqual();
  });
});

describe('TransferCatalog interrupted', () => {
  useCatalogs();

  const FAULTS: ReadonlyArray<readonly [string, (failure: Error, nth: number) => Partial<TransferTarget>]> = [
    ['restore', (failure, nth) => ({ images: failing(target.images, 'restore', failure, nth) })],
    ['put', (failure, nth) => ({ blobs: failing(target.blobs, 'put', failure, nth) })],
    ['receive', (failure, nth) => ({ staging: failing(target.staging, 'receive', failure, nth) })],
  ];
  for (const [method, faultyTarget] of FAULTS) {
    for (const nth of [1, 2, 3]) {
      it(`by a failing ${method}, call ${nth}, continues with what is missing`, async () => {
        await source.addMany(MANY);
        await source.add('more', 'a key');
        const failure = new StorageUnavailable();
        const to = faultyTarget(failure, nth);

        expect(await rejection(transfer({}, { to }))).to.equal(failure);
        const before = (await target.all()).length;
        const report = await transfer({ resume: true });

        expect(report).to.include({ outcome: 'complete', images: MANY + 1 - before, findings: 0 });
        await expectEqual();
        expect(target.keys.completed()).to.have.length(1);
      });
    }
  }

  it('stops when it is asked to, and continues later', async () => {
    await source.addMany(MANY);
    const stop = new AbortController();
    let puts = 0;
    const blobs = intercepted(target.blobs, (method, proceed) => {
      if (method === 'put') puts += 1;
      if (puts === 120) stop.abort();
      return proceed();
    });

    const report = await transfer({ stopped: stop.signal }, { to: { blobs } });

    expect(report.outcome).to.equal('stopped');
    expect(report.images).to.be.within(120, 130);
    expect((await target.all()).length, 'what was copied is recorded').to.equal(report.images);
    expect(await transfer({ resume: true })).to.include({ outcome: 'complete' });
    await expectEqual();
  });

  it('removes images that were deleted from the source before it continues', async () => {
    const added = await source.addMany(MANY);
    const images = failing(target.images, 'restore', new StorageUnavailable(), 3);
    await rejection(transfer({}, { to: { images } }));
    // One image with a record in the target, and one with only a blob there.
    for (const image of [added[0], added[99], added[220]]) await source.delete(image ?? never());
    clock.advance(GRACE_MS);

    const report = await transfer({ resume: true });

    expect(report).to.include({ outcome: 'complete', removed: 2, leftovers: 1 });
    await expectEqual();
  });

  it('keeps a blob without a record that is younger than the grace', async () => {
    await source.addMany(1);
    await transfer();
    await target.put('ffffffff-3c1b-4a53-9f0a-6d2f8c7b1e42', jpegBytes());

    expect(await transfer({ resume: true })).to.include({ leftovers: 0 });
  });
});

describe('TransferCatalog refuses', () => {
  useCatalogs();

  async function expectRefusal(
    reason: TransferRefused['reason'],
    options: Partial<TransferOptions>,
    plan: Partial<TransferPlan> = {},
  ): Promise<void> {
    const [before, blobs, highestId] = [
      await target.all(),
      [...target.blobs.keys],
      await target.images.highestId(),
    ];
    expect(await rejection(transfer(options, { plan })))
      .to.be.instanceOf(TransferRefused)
      .with.property('reason', reason);
    expect(await target.all()).to.deep.equal(before);
    expect(target.blobs.keys).to.deep.equal(blobs);
    expect(await target.images.highestId()).to.equal(highestId);
  }

  it('a target with images, if it is not resumed', async () => {
    await source.addMany(2);
    await transfer();

    await expectRefusal('not_empty', {});
  });

  it('a target with blobs only, if it is not resumed', async () => {
    const { uuid } = await source.add();
    await target.put(uuid, jpegBytes());

    await expectRefusal('not_empty', {});
  });

  it('a target with another catalog under the same ids', async () => {
    await source.addMany(3);
    await target.addMany(2);

    await expectRefusal('foreign', { resume: true });
  });

  it('a target with another catalog under other ids', async () => {
    const [first] = await target.addMany(3);
    await target.delete(first ?? never());
    const deleted = await source.addMany(4);
    for (const image of deleted.slice(1)) await source.delete(image);

    await expectRefusal('foreign', { resume: true });
  });

  it('a target that differs in a late id, before any change', async () => {
    const added = await source.addMany(3);
    await transfer();
    await target.add();
    await source.delete(added[0] ?? never());
    await source.add();

    await expectRefusal('foreign', { resume: true });
  });

  it('a blob store with blobs that neither side has a record of', async () => {
    await source.addMany(2);
    await target.put('ffffffff-3c1b-4a53-9f0a-6d2f8c7b1e42', jpegBytes());

    await expectRefusal('foreign', { resume: true });
  });

  it('a target that has assigned ids of its own, also if their images are deleted', async () => {
    await source.addMany(2);
    await transfer();
    const added = await target.add();
    await expectRefusal('ahead', { resume: true });
    await target.delete(added);

    await expectRefusal('ahead', { resume: true });
  });
});

describe('TransferCatalog', () => {
  useCatalogs();

  describe('of the records only, with shared blobs', () => {
    const records = { records: true, blobs: false };

    it('copies and removes records, and does not change the blobs', async () => {
      await used(source);
      const [gone] = await source.addMany(3);
      const before = [await source.blobs.owner(), ...source.blobs.keys];
      const ports = { to: { blobs: source.blobs }, plan: records };

      expect(await transfer({}, ports)).to.include({ outcome: 'complete', images: 3, bytes: 0 });
      await source.images.in(COMMON_SPACE).removeById(gone?.id ?? 0);
      const report = await transfer({ resume: true }, ports);

      expect(report).to.include({ outcome: 'complete', removed: 1, leftovers: 0 });
      expect(await target.all()).to.deep.equal(await source.all());
      expect([await source.blobs.owner(), ...source.blobs.keys]).to.deep.equal(before);
      expect(await target.identity.find()).to.equal(await source.identity.find());
    });
  });

  describe('of the blobs only, with shared records', () => {
    const blobs = { records: false, blobs: true };

    function move(options: Partial<TransferOptions> = {}): Promise<TransferReport> {
      const { identity, images } = source;
      return transfer(options, { to: { identity, images }, plan: blobs });
    }

    it('continues with the missing blobs', async () => {
      const [first] = await source.addMany(3);
      await move();
      await source.delete(first ?? never());
      await source.addMany(2);
      clock.advance(GRACE_MS);

      expect(await move({ resume: true })).to.include({ outcome: 'complete', images: 2, leftovers: 1 });
      expect(target.blobs.keys).to.have.members((await source.all()).map(({ uuid }) => uuid));
    });
  });
});

const OTHER_CATALOG = '7c9e6679-7425-40de-944b-e07fc1f90ae7';

async function owners(): Promise<readonly unknown[]> {
  return [await target.identity.find(), await target.blobs.owner()];
}

async function expectIdentified(): Promise<void> {
  const id = await source.identity.find();
  expect(id).to.be.a('string');
  expect(await owners()).to.deep.equal([id, id]);
}

/** Claims the store of the catalog, as a service does when it starts. */
async function used(catalog: Catalog): Promise<Catalog> {
  await catalog.blobs.claim(await catalog.identity.establish());
  return catalog;
}

async function expectForeign(
  options: Partial<TransferOptions> = { resume: true },
  to: Partial<TransferTarget> = {},
  plan: Partial<TransferPlan> = {},
): Promise<void> {
  const [before, keys] = [await owners(), target.blobs.keys];
  expect(await rejection(transfer(options, { to, plan }))).to.have.property('reason', 'foreign');
  expect([await owners(), target.blobs.keys]).to.deep.equal([before, keys]);
}

describe('TransferCatalog makes the target the same catalog', () => {
  useCatalogs();

  it('before anything is copied', async () => {
    await source.addMany(2);
    const blobs = failing(target.blobs, 'put', new StorageUnavailable());

    await rejection(transfer({}, { to: { blobs } }));

    await expectIdentified();
  });

  for (const [where, faulty] of [
    ['release', () => ({ blobs: losingAnswer(target.blobs, 'release', new StorageUnavailable()) })],
    ['claim', () => ({ blobs: losingAnswer(target.blobs, 'claim', new StorageUnavailable()) })],
    ['adopt', () => ({ identity: failing(target.identity, 'adopt', new StorageUnavailable()) })],
  ] as const) {
    it(`also if it was interrupted at ${where}`, async () => {
      await used(target);
      await source.addMany(2);
      await rejection(transfer({}, { to: faulty() }));

      await transfer();

      await expectIdentified();
      await expectEqual();
    });
  }
});

describe('TransferCatalog', () => {
  useCatalogs();

  describe('makes the target the same catalog,', () => {
    it('and refuses a different one, although the source has all of its records', async () => {
      await source.addMany(2);
      await transfer();
      await target.identity.adopt(OTHER_CATALOG);

      await expectForeign();
    });

    it('and refuses the store of another catalog, even if it is empty', async () => {
      await used(target);
      await target.blobs.release();
      await target.blobs.claim(OTHER_CATALOG);

      await expectForeign({});
    });

    it('and refuses the store of a catalog that has blobs, although its database has assigned no id', async () => {
      await used(target);
      await target.put('ffffffff-3c1b-4a53-9f0a-6d2f8c7b1e42', jpegBytes());

      await expectForeign();
    });

    it('if only the blobs are moved, and refuses a store of another catalog', async () => {
      const shared = { identity: source.identity, images: source.images, keys: source.keys };
      const plan = { records: false };
      await target.blobs.claim(OTHER_CATALOG);
      await expectForeign({}, shared, plan);
      await target.blobs.release();

      await transfer({}, { to: shared, plan });

      expect(await target.blobs.owner()).to.equal(await source.identity.find());
    });
  });

  it('can transfer back, also to the original catalog, repeatedly', async () => {
    await used(source);
    const added = await source.addMany(5);
    await transfer();
    await target.delete(added[1] ?? never());
    const newest = await target.add();
    await target.delete(newest);
    await target.add('another', 'a key');

    [source, target] = [target, source];
    const report = await transfer({ resume: true });

    expect(report).to.include({ outcome: 'complete', images: 1, removed: 1 });
    await expectEqual();
    await expectIdentified();
    expect((await target.add()).id).to.be.greaterThan(newest.id + 1);
  });
});

function never(): never {
  throw new TypeError('There is such an image');
}

describe('TransferCatalog of images with metadata and hashes', () => {
  useCatalogs();

  it('copies them', async () => {
    const added = await source.addMany(2);
    const ids = added.map(({ id }) => id);
    const said = { title: 'Sunset', description: 'at sea', tags: ['a', 'b'], focus: { x: 0.25, y: 1 } };
    const metadata = { ...NO_METADATA, ...said, version: 3, updatedAt: new Date(7) };
    await source.images.restore(added.map((image) => ({ ...image, metadata, hashes: imageHashes() })));

    expect(await transfer()).to.include({ outcome: 'complete', images: 2 });

    await expectEqual();
    expect([...(await target.images.findMetadata(ids)).values()]).to.deep.equal([metadata, metadata]);
    expect(await target.images.findHashes(ids)).to.deep.equal(await source.images.findHashes(ids));
  });
});

describe('TransferCatalog of several spaces', () => {
  useCatalogs();

  const [ALICE, BOB] = ['alice' as Space, 'bob' as Space];

  it('keeps the space of each image, and who has uploaded it, and removes it from there', async () => {
    await source.add();
    await source.add('of alice', undefined, ALICE);

    await transfer();

    const owners = target.images.all().map(({ space, createdBy }) => [space, createdBy]);
    expect(owners).to.deep.equal([
      [COMMON_SPACE, 'a client'],
      [ALICE, 'a client'],
    ]);
    await expectEqual();
    await source.images.in(ALICE).removeById(2);
    expect(await transfer({ resume: true })).to.include({ outcome: 'complete', removed: 1 });
    await expectEqual();
  });

  it('copies images whatever the limits of their space', async () => {
    await source.add('of alice', undefined, ALICE);
    await source.spaces.setLimits(ALICE, { images: 0 });
    await target.spaces.setLimits(ALICE, { images: 0 });

    expect(await transfer()).to.include({ outcome: 'complete', images: 1 });
  });

  it('follows a space that got another name after an earlier transfer', async () => {
    await source.add();
    await source.add('of alice', 'a key', ALICE);
    await transfer();
    await source.spaces.rename(ALICE, BOB);

    const report = await transfer({ resume: true });

    expect(report).to.include({ outcome: 'complete', images: 1, bytes: 0, removed: 0 });
    expect(target.images.all().map(({ space }) => space)).to.deep.equal([COMMON_SPACE, BOB]);
    await expectEqual();
  });
});
