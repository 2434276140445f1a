import { expect } from 'chai';
import { BackupCatalog } from '../../src/application/maintenance/backup-catalog.ts';
import type { Image } from '../../src/domain/image/image.ts';
import type { BlobCopy } from '../../src/domain/ports/commands/record-copy.ts';
import type { OwnedImage } from '../../src/domain/ports/records/image-repository.ts';
import { COMMON_SPACE, type Space } from '../../src/domain/space/space.ts';
import { CatalogDoubles } from '../support/doubles/catalog-doubles.ts';
import { newImage } from '../support/fixtures/new-image.ts';
import { rejection } from '../support/fixtures/rejection.ts';

/** A copy of the blobs that the source has. */
class RecordingBlobCopy implements BlobCopy {
  readonly calls: string[] = [];

  constructor(
    private readonly source: ReadonlySet<string>,
    private readonly damaged: ReadonlySet<string> = new Set(),
  ) {}

  async begin(catalogId: string | undefined): Promise<void> {
    this.calls.push(`begin ${catalogId}`);
  }

  async add(key: string): Promise<boolean> {
    if (this.source.has(key)) this.calls.push(`add ${key}`);
    return this.source.has(key);
  }

  async isIntact({ uuid }: Pick<Image, 'uuid'>): Promise<boolean> {
    return !this.damaged.has(uuid);
  }

  async finish(): Promise<void> {
    this.calls.push('finish');
  }
}

const ALICE = 'alice' as Space;

async function findingsOf(backup: BackupCatalog, after?: number): Promise<readonly string[]> {
  const findings: string[] = [];
  for await (const { finding } of backup.records(after)) if (finding !== undefined) findings.push(finding);
  return findings;
}

async function lostBy(backup: BackupCatalog, after?: number): Promise<number> {
  return (await findingsOf(backup, after)).filter((finding) => finding === 'missing').length;
}

describe('BackupCatalog', () => {
  let { images: live, identity } = new CatalogDoubles();
  let { images: copied } = new CatalogDoubles();
  let images: readonly OwnedImage[];
  let closed: number;

  beforeEach(async () => {
    ({ images: live, identity } = new CatalogDoubles());
    ({ images: copied } = new CatalogDoubles());
    for (const space of [ALICE, COMMON_SPACE, ALICE]) await live.in(space).add(newImage());
    images = live.all();
    closed = 0;
  });

  function backupOf(blobs: BlobCopy): BackupCatalog {
    const copy = async () => {
      await copied.restore(images);
      return { images: copied, trash: copied.trash, close: async () => void (closed += 1) };
    };
    return new BackupCatalog({ identity, images: live, copy }, blobs);
  }

  function blobsOf(some: readonly Image[]): RecordingBlobCopy {
    return new RecordingBlobCopy(new Set(some.map(({ uuid }) => uuid)));
  }

  it('copies the blob of every record into a store of the same catalog', async () => {
    const id = await identity.establish();
    const blobs = blobsOf(images);

    expect(await lostBy(backupOf(blobs))).to.equal(0);

    const added = images.map(({ uuid }) => `add ${uuid}`);
    expect(blobs.calls).to.deep.equal([`begin ${id}`, ...added, 'finish']);
    expect(closed).to.equal(1);
  });

  it('copies the trash, and removes from it what the service has erased with its blob', async () => {
    for (const { space, id } of images.slice(1)) await live.in(space).removeById(id, undefined, 'trash');
    const trash = await live.trash.findAll(0, 9);
    const [kept, erased] = trash;
    const copy = async () => {
      await copied.restore(images.slice(0, 1));
      await copied.trash.restoreTrashed(trash);
      return { images: copied, trash: copied.trash, close: async () => {} };
    };
    const blobs = blobsOf(images.slice(0, 2));
    await live.trash.in(erased?.space ?? COMMON_SPACE).erase(erased?.id ?? 0);

    expect(await lostBy(new BackupCatalog({ identity, images: live, copy }, blobs))).to.equal(0);

    expect(blobs.calls).to.include(`add ${kept?.uuid}`);
    expect(copied.trash.all().map(({ id }) => id)).to.deep.equal([kept?.id]);
  });

  it('removes records from the copy that the service has deleted with their blobs', async () => {
    const [first, ...rest] = images;
    await live.in(ALICE).removeById(first?.id ?? 0);

    expect(await lostBy(backupOf(blobsOf(rest)))).to.equal(0);

    expect(await copied.count()).to.equal(2);
  });

  it('keeps and counts records whose blobs are missing', async () => {
    expect(await lostBy(backupOf(blobsOf(images.slice(1))))).to.equal(1);

    expect(await copied.count()).to.equal(3);
  });

  it('copies damaged blobs, and tells them from missing ones', async () => {
    const [damaged, missing, whole] = images.map(({ uuid }) => uuid);
    const blobs = new RecordingBlobCopy(
      new Set([damaged, whole].map(String)),
      new Set([damaged, missing].map(String)),
    );

    expect(await findingsOf(backupOf(blobs))).to.deep.equal(['damaged', 'missing']);
    expect(blobs.calls).to.include(`add ${damaged}`);
  });

  for (const [what, answers] of [
    ['copied', { add: [false, true], isIntact: [true] }],
    ['read', { add: [true, true], isIntact: [false, true] }],
  ] as const) {
    it(`finds nothing if a blob can be ${what} at the second try`, async () => {
      const { add, isIntact } = { add: answers.add.values(), isIntact: answers.isIntact.values() };
      const blobs: BlobCopy = {
        ...noCalls(),
        add: async () => add.next().value ?? true,
        isIntact: async () => isIntact.next().value ?? true,
      };

      expect(await findingsOf(backupOf(blobs))).to.deep.equal([]);
      expect(await copied.count()).to.equal(3);
    });
  }

  it('continues behind the last image that an interrupted backup has copied', async () => {
    const id = await identity.establish();
    const blobs = blobsOf(images.slice(0, 2));

    expect(await lostBy(backupOf(blobs), images[0]?.id)).to.equal(1);

    expect(blobs.calls).to.deep.equal([`begin ${id}`, `add ${images[1]?.uuid}`, 'finish']);
  });

  it('closes the copy if a blob cannot be copied', async () => {
    const failing: BlobCopy = { ...noCalls(), add: () => Promise.reject(new Error('disk full')) };

    expect((await rejection(lostBy(backupOf(failing)))).message).to.equal('disk full');
    expect(closed).to.equal(1);
  });
});

function noCalls(): BlobCopy {
  return { begin: async () => {}, add: async () => true, isIntact: async () => true, finish: async () => {} };
}
