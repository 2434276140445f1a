import { createHash } from 'node:crypto';
import { ImageCatalog } from '@image-catalog/client';
import { expect } from 'chai';
import { systemClock } from '../../../web/src/base/clock.ts';
import { Store } from '../../../web/src/base/store.ts';
import type { UploadCatalog } from '../../../web/src/upload/upload-ports.ts';
import type { UploadCounts } from '../../../web/src/upload/upload-summary.ts';
import { Uploads } from '../../../web/src/upload/uploads.ts';
import { collectAll } from '../../support/fixtures/collect-all.ts';
import { jpegPicture } from '../../support/fixtures/pictures.ts';
import { tinyPng } from '../../support/fixtures/tiny-pictures.ts';
import { TestService } from '../../support/http/test-service.ts';
import { eventually } from '../../support/time/eventually.ts';
import { networkLost } from '../doubles/scripted-upload-catalog.ts';

/** The queue waits as long as the service says, but not in a test. */
const MOST_DELAY_MS = 20;

const LIMITS = { maxBytes: 2 ** 26, inputFormats: ['jpeg', 'png'] } as const;

describe('uploads to a service', () => {
  let service: TestService;
  let catalog: ImageCatalog;

  async function start(options: Parameters<typeof TestService.start>[0] = {}): Promise<void> {
    service = await TestService.start(options);
    catalog = new ImageCatalog({ url: service.url, getToken: () => service.token(), retries: 0 });
  }

  afterEach(async () => {
    await service.stop();
  });

  it('store each picture once, and tell why others are not stored', async () => {
    await start();
    await catalog.upload(picture(1));
    const truncated = (await jpegPicture()).subarray(0, 200);
    const files = [...pictures(30), new File([picture(2)], 'copy.png')];
    files.push(new File([Uint8Array.from(truncated)], 'truncated.jpg'), new File(['notes'], 'notes.jpg'));

    const counts = await upload(files);

    expect(counts).to.include({ uploaded: 29, known: 1, repeated: 1, refused: 2, failed: 0 });
    expect(await storedNames()).to.have.lengthOf(30);
  });

  it('all arrive at a service that takes one at a time', async () => {
    await start({ uploadConcurrency: 1 });
    const counts = await upload(pictures(20));

    expect(counts).to.include({ uploaded: 20 });
    expect(new Set(await storedNames())).to.have.property('size', 20);
  });

  it('are stored once even if every first response is lost', async () => {
    await start();
    const sent = new Set<string>();
    const counts = await upload(pictures(10), {
      upload: async (file, request) => {
        const record = await catalog.upload(file, request);
        if (sent.has(file.name)) return record;
        sent.add(file.name);
        throw networkLost();
      },
    });

    expect(counts).to.include({ uploaded: 10 });
    expect(await storedNames()).to.have.lengthOf(10);
  });

  it('wait for a catalog that is read-only', async () => {
    await start({ readOnly: true });
    const uploads = queue();
    uploads.add(pictures(3));
    const { hold } = await eventually(
      () => uploads.summary.get(),
      (summary) => summary.hold !== undefined,
    );
    uploads.cancelAll();

    expect(hold).to.deep.include({ kind: 'read_only', retries: true });
    expect(uploads.summary.get().counts.refused).to.equal(0);
  });

  it('stop with the scope that is missing', async () => {
    await start({ scopes: { write: 'images:write' } });
    const uploads = queue();
    uploads.add(pictures(3));
    const { hold } = await eventually(
      () => uploads.summary.get(),
      (summary) => summary.hold !== undefined,
    );

    expect(hold).to.deep.include({ kind: 'forbidden', scope: 'images:write', retries: false });
  });

  async function upload(files: readonly File[], changes: Partial<UploadCatalog> = {}): Promise<UploadCounts> {
    const uploads = queue(changes);
    uploads.add(files);
    await eventually(
      () => uploads.hasUnfinished,
      (isBusy) => !isBusy,
    );
    const states = uploads.items.get().map(({ state }) => state.get().kind);
    const { counts } = uploads.summary.get();
    const kinds = Object.keys(counts) as (keyof UploadCounts)[];
    return Object.fromEntries(
      kinds.map((kind) => [kind, states.filter((state) => state === kind).length]),
    ) as UploadCounts;
  }

  function queue(changes: Partial<UploadCatalog> = {}): Uploads {
    let keys = 0;
    return new Uploads({
      catalog: {
        upload: (file, request) => catalog.upload(file, request),
        lookup: (digests) => catalog.lookup(digests),
        probe: async () => void (await catalog.list({ limit: 1 }).next()),
        ...changes,
      },
      clock: { after: (ms, run) => systemClock.after(Math.min(ms, MOST_DELAY_MS), run) },
      digest: async (file) =>
        createHash('sha256')
          .update(new Uint8Array(await file.arrayBuffer()))
          .digest('hex'),
      newKey: () => {
        keys += 1;
        return `key-${keys}`;
      },
      online: new Store(true),
      session: new Store({ kind: 'signed-in' }),
      ...LIMITS,
      onUploaded: () => {},
    });
  }

  async function storedNames(): Promise<readonly string[]> {
    return (await collectAll(catalog.list())).map(({ originalName }) => originalName);
  }
});

function picture(number: number): File {
  return new File([Uint8Array.from(tinyPng(number))], `cat-${number}.png`);
}

function pictures(count: number): readonly File[] {
  return Array.from({ length: count }, (_, index) => picture(index + 1));
}
