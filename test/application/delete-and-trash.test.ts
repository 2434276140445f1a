import { expect } from 'chai';
import { DeleteImage } from '../../src/application/delete-image.ts';
import { SweepTrash } from '../../src/application/maintenance/sweep-trash.ts';
import { EraseImage } from '../../src/application/trash/erase-image.ts';
import { ImageNotFound, StorageUnavailable } from '../../src/domain/errors.ts';
import type { CatalogImage } from '../../src/domain/image/image.ts';
import { COMMON_SPACE } from '../../src/domain/space/space.ts';
import { CatalogDoubles } from '../support/doubles/catalog-doubles.ts';
import { failing, recorded } from '../support/doubles/intercepted.ts';
import { jpegBytes } from '../support/fixtures/bytes.ts';
import { rejection } from '../support/fixtures/rejection.ts';
import { ManualClock } from '../support/time/manual-clock.ts';

const DAY_MS = 24 * 60 * 60_000;

let { clock: wall, images, blobs, renditions, log, addImage } = new CatalogDoubles();
let steady: ManualClock;

function useCatalog(): void {
  beforeEach(() => {
    ({ clock: wall, images, blobs, renditions, log, addImage } = new CatalogDoubles());
    steady = new ManualClock();
  });
}

async function add(): Promise<CatalogImage> {
  const image = await addImage();
  await renditions.put({ uuid: image.uuid, name: 'small.jpg' }, jpegBytes());
  return image;
}

async function addToTrash(): Promise<CatalogImage> {
  const image = await add();
  await new DeleteImage(images, { blobs, renditions }, 'trash').execute(COMMON_SPACE, image.id, { log });
  return image;
}

describe('DeleteImage', () => {
  useCatalog();

  let image: CatalogImage;

  beforeEach(async () => {
    image = await add();
  });

  it('removes the record before the bytes', async () => {
    const calls: string[] = [];
    const bytes = { blobs: recorded(blobs, calls), renditions: recorded(renditions, calls) };

    await new DeleteImage(recorded(images, calls), bytes).execute(COMMON_SPACE, image.id, { log });

    expect(calls).to.deep.equal(['findById', 'removeById', 'remove', 'removeAllOf']);
  });

  it('succeeds for exactly one of several concurrent callers', async () => {
    const deleteImage = new DeleteImage(images, { blobs, renditions });
    const outcomes = await Promise.allSettled(
      Array.from({ length: 5 }, () => deleteImage.execute(COMMON_SPACE, image.id, { log })),
    );

    const refusals = outcomes.flatMap((outcome): unknown[] =>
      outcome.status === 'rejected' ? [outcome.reason] : [],
    );
    expect(refusals).to.have.length(4);
    for (const refusal of refusals) expect(refusal).to.be.instanceOf(ImageNotFound);
  });

  const failure = new StorageUnavailable();
  for (const [what, portsOf] of [
    ['blob', () => ({ blobs: failing(blobs, 'remove', failure), renditions })],
    ['renditions', () => ({ blobs, renditions: failing(renditions, 'removeAllOf', failure) })],
  ] as const) {
    it(`succeeds if only the ${what} cannot be removed, and logs a warning`, async () => {
      await new DeleteImage(images, portsOf()).execute(COMMON_SPACE, image.id, { log });

      const left = [await images.count(), blobs.keys.length, renditions.keys.length];
      expect(left).to.deep.equal(what === 'blob' ? [0, 1, 0] : [0, 0, 1]);
      expect(log.warnings.map(({ facts }) => facts)).to.deep.equal([
        { err: failure, imageId: image.id, blobKey: image.uuid },
      ]);
    });
  }
});

describe('EraseImage', () => {
  useCatalog();

  it('removes the row before the blob and the renditions', async () => {
    const { id } = await addToTrash();
    const calls: string[] = [];
    const bytes = { blobs: recorded(blobs, calls), renditions: recorded(renditions, calls) };

    await new EraseImage(recorded(images.trash, calls), bytes).execute(COMMON_SPACE, id, { log });

    expect(calls).to.deep.equal(['erase', 'remove', 'removeAllOf']);
    expect(images.trash.all()).to.deep.equal([]);
    expect([blobs.keys, renditions.keys]).to.deep.equal([[], []]);
  });
});

describe('SweepTrash', () => {
  useCatalog();

  function sweeping(ageMs: number | undefined = 10 * DAY_MS): SweepTrash {
    return new SweepTrash(images.trash, { blobs, renditions }, { wall, steady }, ageMs, log);
  }

  function pass(milliseconds: number): void {
    wall.advance(milliseconds);
    steady.advance(milliseconds);
  }

  it('erases what is old enough, with its bytes', async () => {
    await addToTrash();
    pass(DAY_MS);
    const young = await addToTrash();
    pass(9 * DAY_MS);

    expect(await sweeping().execute({ dryRun: false })).to.equal(1);

    expect(images.trash.all().map(({ id }) => id)).to.deep.equal([young.id]);
    expect(blobs.keys).to.deep.equal([young.uuid]);
    expect(renditions.keys).to.have.length(1);
  });

  it('only counts in a dry run', async () => {
    await addToTrash();
    pass(10 * DAY_MS);

    expect(await sweeping().execute({ dryRun: true })).to.equal(1);
    expect(images.trash.all()).to.have.length(1);
  });

  it('erases nothing if the age is not known', async () => {
    await addToTrash();
    pass(1_000 * DAY_MS);
    const unknown = new SweepTrash(images.trash, { blobs, renditions }, { wall, steady }, undefined, log);

    expect(await unknown.execute({ dryRun: false })).to.equal(0);
    expect(images.trash.all()).to.have.length(1);
  });

  it('stops between two transactions', async () => {
    await addToTrash();
    pass(10 * DAY_MS);

    const stopped = AbortSignal.abort(new Error('stop'));

    expect(await rejection(sweeping().execute({ dryRun: false, stopped }))).to.have.property(
      'message',
      'stop',
    );
    expect(images.trash.all()).to.have.length(1);
  });

  for (const days of [11, -11]) {
    it(`erases nothing after the clock was set by ${days} days, and says so once`, async () => {
      await addToTrash();
      pass(9 * DAY_MS);
      const sweepTrash = sweeping();
      wall.advance(days * DAY_MS);
      for (let sweep = 0; sweep < 2; sweep += 1) {
        expect(await sweepTrash.execute({ dryRun: false })).to.equal(0);
      }
      wall.advance(-days * DAY_MS);
      pass(DAY_MS);

      expect(await sweepTrash.execute({ dryRun: true }), 'until a restart').to.equal(0);
      expect(log.warnings).to.have.length(1);
      expect(log.warnings[0]?.facts).to.deep.equal({ movedSeconds: (days * DAY_MS) / 1000 });
      expect(await sweeping().execute({ dryRun: false }), 'after a restart').to.equal(1);
    });
  }

  it('allows for a day', async () => {
    await addToTrash();
    pass(9 * DAY_MS);
    wall.advance(DAY_MS);

    expect(await sweeping().execute({ dryRun: false })).to.equal(1);
    expect(log.warnings).to.deep.equal([]);
  });
});
