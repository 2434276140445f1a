import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { Store } from '../../../web/src/base/store.ts';
import type { UploadItem, UploadState } from '../../../web/src/upload/upload-item.ts';
import type { UploadPorts } from '../../../web/src/upload/upload-ports.ts';
import { Uploads } from '../../../web/src/upload/uploads.ts';
import { Gate, settled } from '../../support/time/gate.ts';
import { ManualTime } from '../../support/time/manual-time.ts';
import {
  networkLost,
  type PendingUpload,
  refused,
  ScriptedUploadCatalog,
} from '../doubles/scripted-upload-catalog.ts';

const JPEG = [0xff, 0xd8, 0xff, 0xe0];
const HEIC = [...Buffer.from('\0\0\0\x18ftypheic')];

let time: ManualTime;
let catalog: ScriptedUploadCatalog;
let online: Store<boolean>;
let session: Store<{ readonly kind: string }>;
let refreshes: number;
let uploads: Uploads;
let digest: UploadPorts['digest'];

function useUploads(): void {
  beforeEach(() => {
    time = new ManualTime();
    catalog = new ScriptedUploadCatalog();
    online = new Store(true);
    session = new Store<{ readonly kind: string }>({ kind: 'signed-in' });
    refreshes = 0;
    digest = digestOf;
    uploads = open();
  });
}

function open(ports: Partial<UploadPorts> = {}): Uploads {
  let keys = 0;
  return new Uploads({
    catalog,
    clock: time,
    digest: (file) => digest(file),
    newKey: () => {
      keys += 1;
      return `key-${keys}`;
    },
    online,
    session,
    maxBytes: 1000,
    inputFormats: ['jpeg', 'png'],
    onUploaded: () => {
      refreshes += 1;
    },
    ...ports,
  });
}

function item(index: number): UploadItem {
  const found = uploads.items.get()[index];
  if (found === undefined) throw new Error(`There is no upload ${index}`);
  return found;
}

function stateOf(index: number): UploadState {
  return uploads.items.get()[index]?.state.get() ?? { kind: 'waiting' };
}

function states(): readonly UploadState[] {
  return uploads.items.get().map(({ state }) => state.get());
}

function inState(kind: UploadState['kind']): number {
  return states().filter((state) => state.kind === kind).length;
}

function summary(): ReturnType<Uploads['summary']['get']> {
  return uploads.summary.get();
}

async function sent(index: number): Promise<PendingUpload> {
  await until(() => catalog.uploads.length > index);
  const upload = catalog.uploads[index];
  if (upload === undefined) throw new Error(`There is no request ${index}`);
  return upload;
}

/** Lets time pass, and all that happens then. */
async function pause(ms: number): Promise<void> {
  await quiet();
  time.pass(ms);
  await quiet();
}

describe('a chosen file', () => {
  useUploads();

  it('is uploaded with its name, its digest and a key', async () => {
    uploads.add([picture('cat.jpg')]);
    const upload = await sent(0);
    expect(stateOf(0)).to.deep.equal({ kind: 'uploading', sent: 0 });

    upload.request.onProgress({ loaded: 3 });
    expect(stateOf(0)).to.deep.equal({ kind: 'uploading', sent: 3 });
    upload.succeed(7);
    await until(() => stateOf(0).kind === 'uploaded');

    expect(stateOf(0)).to.deep.equal({ kind: 'uploaded', image: 7 });
    const { name, sha256, idempotencyKey } = upload.request;
    expect([name, sha256, idempotencyKey]).to.deep.equal([
      'cat.jpg',
      await digestOf(picture('cat.jpg')),
      'key-1',
    ]);
  });

  it('is not sent if the catalog has it already', async () => {
    catalog.known.set((await digestOf(picture('cat.jpg'))) ?? '', [4, 9]);
    uploads.add([picture('cat.jpg')]);
    await until(() => stateOf(0).kind === 'known');

    expect(stateOf(0)).to.deep.equal({ kind: 'known', image: 4 });
    expect(catalog.uploads).to.deep.equal([]);
  });

  it('counts once if it is chosen twice, even if the first is uploaded already', async () => {
    catalog.respond = (upload) => upload.succeed(1);
    const slow = new Gate();
    const same = picture('copy.jpg', 'cat.jpg');
    digest = async (file) => {
      if (file === same) await slow.opened;
      return await digestOf(file);
    };
    uploads.add([picture('cat.jpg'), same]);
    await until(() => stateOf(0).kind === 'uploaded');
    slow.open();
    await until(() => stateOf(1).kind === 'repeated');

    expect(stateOf(1)).to.deep.equal({ kind: 'repeated', first: item(0) });
    expect(catalog.uploads).to.have.lengthOf(1);
  });

  it('is uploaded if the same one, chosen before it, is cancelled', async () => {
    uploads.add([picture('cat.jpg'), picture('copy.jpg', 'cat.jpg')]);
    await until(() => stateOf(1).kind === 'repeated');
    uploads.cancel(item(0));
    const upload = await sent(1);

    expect(upload.file.name).to.equal('copy.jpg');
    expect(stateOf(0).kind).to.equal('cancelled');
  });

  it('is sent without a check if the page has no digests', async () => {
    digest = async () => undefined;
    uploads.add([picture('cat.jpg')]);

    expect((await sent(0)).request).to.not.have.property('sha256');
    expect(catalog.lookups).to.deep.equal([]);
  });

  it('is sent without a check if the user may not read', async () => {
    catalog.respondToLookup = () => {
      throw refused(403, 'insufficient_scope');
    };
    uploads.add([picture('cat.jpg')]);

    expect((await sent(0)).file.name).to.equal('cat.jpg');
    expect(summary().hold).to.equal(undefined);
  });

  it('gets a shorter name if its own is too long for the service', async () => {
    uploads.add([picture(`${'猫'.repeat(100)}.jpg`)]);

    const { name } = (await sent(0)).request;
    expect(Buffer.byteLength(name)).to.be.within(250, 255);
    expect(name).to.match(/^猫+\.jpg$/);
  });
});

describe('a chosen file that is refused or fails', () => {
  useUploads();

  for (const [status, code] of [
    [422, 'invalid_image'],
    [415, 'unsupported_media_type'],
    [413, 'file_too_large'],
    [400, 'file_required'],
    [400, 'invalid_request'],
  ] as const) {
    it(`is refused after ${status} ${code}, and not tried again`, async () => {
      uploads.add([picture('cat.jpg')]);
      (await sent(0)).fail(refused(status, code));
      await until(() => stateOf(0).kind === 'refused');
      uploads.retryAll();
      await pause(60_000);

      expect(stateOf(0)).to.deep.equal({ kind: 'refused', reason: code });
      expect(catalog.uploads).to.have.lengthOf(1);
    });
  }

  it('is too large after 413 of a proxy', async () => {
    uploads.add([picture('cat.jpg')]);
    (await sent(0)).fail(refused(413, 'unexpected_response'));
    await until(() => stateOf(0).kind === 'refused');

    expect(stateOf(0)).to.deep.equal({ kind: 'refused', reason: 'file_too_large' });
  });

  it('fails after 500, and a retry sends the same key', async () => {
    uploads.add([picture('cat.jpg')]);
    (await sent(0)).fail(refused(500, 'internal_error'));
    await until(() => stateOf(0).kind === 'failed');
    expect(stateOf(0)).to.deep.equal({ kind: 'failed', reason: 'internal_error' });

    uploads.retry(item(0));
    expect((await sent(1)).request.idempotencyKey).to.equal('key-1');
  });

  it('gets a new key if its picture was deleted since the first attempt', async () => {
    uploads.add([picture('cat.jpg')]);
    (await sent(0)).fail(refused(404, 'image_not_found'));
    await until(() => stateOf(0).kind === 'failed');
    uploads.retry(item(0));

    expect((await sent(1)).request.idempotencyKey).to.equal('key-2');
  });

  it('waits if an earlier attempt is still under way', async () => {
    uploads.add([picture('cat.jpg')]);
    (await sent(0)).fail(refused(409, 'idempotency_key_in_use', { retryAfterMs: 5000 }));
    await until(() => stateOf(0).kind === 'waiting');
    await pause(4999);
    expect(catalog.uploads).to.have.lengthOf(1);
    time.pass(1);

    expect((await sent(1)).request.idempotencyKey).to.equal('key-1');
    expect(summary().hold).to.equal(undefined);
  });

  it('gets a new digest once if its bytes are others, then fails', async () => {
    let digests = 0;
    digest = async (file) => {
      digests += 1;
      return await digestOf(file);
    };
    uploads.add([picture('cat.jpg')]);
    (await sent(0)).fail(refused(400, 'digest_mismatch'));
    (await sent(1)).fail(refused(400, 'digest_mismatch'));
    await until(() => stateOf(0).kind === 'failed');

    expect(digests).to.equal(2);
    expect(stateOf(0)).to.deep.equal({ kind: 'failed', reason: 'changed' });
  });

  it('fails if it cannot be read for its digest', async () => {
    digest = async () => {
      throw new Error('NotReadableError');
    };
    uploads.add([picture('cat.jpg')]);
    await until(() => stateOf(0).kind === 'failed');

    expect(stateOf(0)).to.deep.equal({ kind: 'failed', reason: 'unreadable' });
  });

  it('fails if it cannot be read any more while it is sent, which looks like an error of the network', async () => {
    const file = picture('cat.jpg');
    uploads.add([file]);
    const upload = await sent(0);
    file.slice = () =>
      ({ arrayBuffer: () => Promise.reject(new Error('NotReadableError')) }) as unknown as Blob;
    upload.fail(networkLost());
    await until(() => stateOf(0).kind === 'failed');

    expect(stateOf(0)).to.deep.equal({ kind: 'failed', reason: 'unreadable' });
  });
});

describe('uploads of files that are no pictures', () => {
  useUploads();

  it('are refused with their reason if they are chosen directly, and not sent', async () => {
    const large = fileOf('large.jpg', [...JPEG, ...Array<number>(1000).fill(0)]);
    uploads.add([fileOf('notes.txt', [1, 2]), fileOf('cat.heic', HEIC), fileOf('empty.jpg', []), large]);
    await until(() => uploads.items.get().length === 4);

    const reasons = ['unsupported_media_type', 'heic', 'file_required', 'file_too_large'];
    expect(states()).to.deep.equal(reasons.map((reason) => ({ kind: 'refused', reason })));
    expect(catalog.uploads).to.deep.equal([]);
  });

  it('are skipped and counted if they come from folders', async () => {
    const junk = [picture('.DS_Store'), picture('._cat.jpg'), picture('Thumbs.db'), fileOf('a.txt', [1])];
    uploads.add([...junk, fileOf('b.heic', HEIC), picture('cat.jpg')], { fromFolder: true });
    await sent(0);
    await pause(100);

    expect(uploads.items.get().map(({ name }) => name)).to.deep.equal(['cat.jpg']);
    expect(summary().skipped).to.deep.equal({ files: 5, heic: 1, system: 3 });
  });
});

describe('uploads of many files', () => {
  useUploads();

  it('are sent three at a time', async () => {
    uploads.add(pictures(5));
    await sent(2);
    await pause(1000);
    expect(catalog.uploads).to.have.lengthOf(3);
    catalog.uploads[1]?.succeed(1);
    await sent(3);

    expect(inState('uploading')).to.equal(3);
  });

  it('are looked up in few requests, and read two at a time', async () => {
    catalog.respond = (upload) => upload.succeed(1);
    let reading = 0;
    let most = 0;
    digest = async (file) => {
      reading += 1;
      most = Math.max(most, reading);
      await settled();
      reading -= 1;
      return await digestOf(file);
    };
    uploads.add(pictures(2000));
    await until(() => inState('uploaded') === 2000);

    expect(most).to.equal(2);
    expect(catalog.lookups.flat()).to.have.lengthOf(2000);
    expect(catalog.uploads).to.have.lengthOf(2000);
  });

  it('are not read far ahead of what is sent', async () => {
    let digests = 0;
    digest = async (file) => {
      digests += 1;
      return await digestOf(file);
    };
    uploads.add(pictures(500));
    await until(() => digests >= 200);
    await pause(1000);

    expect(digests).to.be.within(200, 320);
  });

  it('large files are read one at a time', async () => {
    uploads = open({ maxBytes: 2 ** 30 });
    const read: string[] = [];
    digest = async (file) => {
      read.push(file.name);
      return await new Promise(() => {});
    };
    const large = ['a.jpg', 'b.jpg'].map((name) =>
      Object.defineProperty(picture(name), 'size', { value: 2 ** 26 }),
    );
    uploads.add(large);
    await until(() => read.length > 0);
    await pause(100);

    expect(read).to.deep.equal(['a.jpg']);
  });

  it('have totals and a progress', async () => {
    uploads.add([...pictures(3), fileOf('notes.txt', [1])]);
    await sent(2);
    catalog.uploads[0]?.succeed(1);
    catalog.uploads[1]?.fail(refused(422, 'invalid_image'));
    await until(() => inState('uploading') === 1);
    await pause(100);

    expect(summary()).to.include({ waiting: 1, uploaded: 1 });
    expect(summary().counts).to.include({ uploaded: 1, refused: 2, uploading: 1 });
    expect(summary().progress).to.be.within(0.66, 0.67);
  });

  it('begin a new progress when all earlier ones are finished', async () => {
    catalog.respond = (upload) => upload.succeed(1);
    uploads.add(pictures(3));
    await until(() => inState('uploaded') === 3);
    catalog.respond = () => {};
    uploads.add([picture('new.jpg')]);
    await sent(3);
    await pause(100);

    expect(summary().progress).to.equal(0);
  });
});

describe('uploads to a busy service', () => {
  useUploads();

  it('gets nothing until its Retry-After is over, then one upload, then more again', async () => {
    uploads.add(pictures(20));
    await sent(2);
    for (const upload of catalog.uploads) upload.fail(refused(503, 'overloaded', { retryAfterMs: 7000 }));
    await until(() => inState('uploading') === 0);
    await pause(6999);
    expect(summary().hold).to.deep.include({ kind: 'busy', retries: true });
    expect(catalog.uploads).to.have.lengthOf(3);
    time.pass(1);
    await sent(3);
    await pause(1);
    expect(inState('uploading')).to.equal(1);

    catalog.respond = (upload) => upload.succeed(1);
    catalog.uploads[3]?.succeed(1);
    await until(() => inState('uploaded') === 20);
    expect(new Set(catalog.uploads.map(({ request }) => request.idempotencyKey))).to.have.property(
      'size',
      20,
    );
  });

  it('whose storage is full gets one upload when its Retry-After is over', async () => {
    uploads.add(pictures(20));
    await sent(2);
    const full = { retryAfterMs: 7000, requestId: 'r1' };
    for (const upload of catalog.uploads) upload.fail(refused(503, 'storage_unavailable', full));
    await until(() => inState('uploading') === 0);
    await pause(6999);
    expect(summary().hold).to.deep.include({ kind: 'storage', requestId: 'r1', retries: true });
    time.pass(1);
    await sent(3);
    await pause(1);

    expect(inState('uploading')).to.equal(1);
  });

  it('gets fewer uploads at a time than before', async () => {
    uploads.add(pictures(20));
    await sent(2);
    catalog.uploads[0]?.fail(refused(503, 'overloaded', { retryAfterMs: 1000 }));
    await until(() => inState('uploading') === 2);
    catalog.uploads[1]?.succeed(1);
    catalog.uploads[2]?.succeed(2);
    await until(() => inState('uploading') === 0);
    await pause(1000);
    (await sent(3)).succeed(3);
    await sent(5);
    await pause(1);

    expect(inState('uploading')).to.equal(2);
  });
});

describe('uploads to a service that cannot be reached', () => {
  useUploads();

  it('is asked with small requests, ever more seldom, and the uploads go on with their keys', async () => {
    catalog.respondToProbe = () => {
      throw networkLost();
    };
    uploads.add(pictures(2));
    await sent(1);
    for (const upload of catalog.uploads) upload.fail(networkLost());
    await until(() => inState('waiting') === 2);
    for (let second = 0; second < 60; second += 1) await pause(1000);
    expect(summary().hold).to.deep.include({ kind: 'unreachable' });
    expect(catalog.uploads).to.have.lengthOf(2);
    expect(catalog.probes).to.be.within(5, 9);

    catalog.respondToProbe = () => {};
    catalog.respond = (upload) => upload.succeed(1);
    await pause(30_000);
    await until(() => inState('uploaded') === 2);
    const keys = catalog.uploads.map(({ request }) => request.idempotencyKey);
    expect(keys.slice(2).sort()).to.deep.equal(keys.slice(0, 2).sort());
  });

  it('502 of a proxy means the same', async () => {
    uploads.add([picture('cat.jpg')]);
    (await sent(0)).fail(refused(502, 'unexpected_response'));
    await until(() => stateOf(0).kind === 'waiting');
    await pause(1000);

    expect(catalog.probes).to.equal(1);
    expect((await sent(1)).request.idempotencyKey).to.equal('key-1');
  });

  it('a file whose connection breaks again and again fails, others are uploaded', async () => {
    catalog.respond = (upload) => {
      if (upload.file.name === 'bad.jpg') upload.fail(networkLost());
      else upload.succeed(1);
    };
    uploads.add([picture('bad.jpg'), picture('good.jpg')]);
    await until(() => {
      time.pass(30_000);
      return inState('failed') === 1 && inState('uploaded') === 1;
    });

    expect(stateOf(0)).to.deep.equal({ kind: 'failed', reason: 'connection_lost' });
    expect(catalog.uploads.filter(({ file }) => file.name === 'bad.jpg')).to.have.lengthOf(6);
  });
});

describe('uploads without a network', () => {
  useUploads();

  it('nothing is sent, and the uploads go on by themselves', async () => {
    online.set(false);
    uploads.add([picture('cat.jpg')]);
    await until(() => stateOf(0).kind === 'checking');
    await pause(60_000);
    expect(summary().hold).to.deep.equal({ kind: 'offline', retries: true });
    expect([catalog.uploads.length, catalog.lookups.length, catalog.probes]).to.deep.equal([0, 0, 0]);
    online.set(true);

    await sent(0);
    await pause(100);
    expect(summary().hold).to.equal(undefined);
  });

  it('an upload that broke goes on as soon as the network is back', async () => {
    uploads.add([picture('cat.jpg')]);
    const upload = await sent(0);
    online.set(false);
    upload.fail(networkLost());
    await until(() => stateOf(0).kind === 'waiting');
    online.set(true);

    expect((await sent(1)).request.idempotencyKey).to.equal('key-1');
  });
});

describe('uploads to a catalog that is read-only', () => {
  useUploads();

  it('stops the queue with one reason, and the queue looks by itself whether it still is', async () => {
    catalog.respond = (upload) => upload.fail(refused(503, 'read_only', { retryAfterMs: 1000 }));
    uploads.add(pictures(50));
    await until(() => catalog.uploads.length > 0);
    for (let second = 0; second < 29; second += 1) await pause(1000);
    const before = catalog.uploads.length;
    expect(summary().hold).to.deep.include({ kind: 'read_only', retries: true });
    expect(before).to.be.within(1, 3);
    await pause(1000);
    expect(catalog.uploads).to.have.lengthOf(before + 1);
    expect(inState('failed') + inState('refused')).to.equal(0);

    catalog.respond = (upload) => upload.succeed(1);
    uploads.tryNow();
    await until(() => inState('uploaded') === 50);
  });
});

describe('uploads of a user who may not upload', () => {
  useUploads();

  it('gets one reason for all files, until somebody else signs in', async () => {
    catalog.respond = (upload) => upload.fail(refused(403, 'insufficient_scope', { scope: 'images:write' }));
    uploads.add(pictures(50));
    await until(() => catalog.uploads.length > 0);
    await pause(600_000);
    expect(summary().hold).to.deep.include({ kind: 'forbidden', scope: 'images:write', retries: false });
    expect(catalog.uploads.length).to.be.within(1, 3);

    catalog.respond = (upload) => upload.succeed(1);
    session.set({ kind: 'ended' });
    session.set({ kind: 'signed-in' });
    await until(() => inState('uploaded') === 50);
  });
});

describe('uploads to a space that is full', () => {
  useUploads();

  beforeEach(() => {
    catalog.respond = (upload) => upload.fail(refused(403, 'quota_exceeded'));
  });

  async function fill(files: readonly File[]): Promise<void> {
    uploads.add(files);
    await until(() => uploads.items.get().length === files.length && !uploads.hasUnfinished);
    await pause(60_000);
  }

  it('end with this reason, and no further file is sent or tried again', async () => {
    await fill(pictures(300));

    expect(catalog.uploads.length).to.be.within(1, 3);
    expect(new Set(states().map((state) => JSON.stringify(state)))).to.have.keys(
      JSON.stringify({ kind: 'failed', reason: 'quota_exceeded' }),
    );
    expect(summary()).to.include({ full: true, hold: undefined });
  });

  it('still find the files that the catalog has already', async () => {
    catalog.known.set((await digestOf(picture('cat-9.jpg'))) ?? '', [4]);
    await fill(pictures(10));

    expect(stateOf(9)).to.deep.equal({ kind: 'known', image: 4 });
    expect(inState('failed')).to.equal(9);
  });

  it('are tried again with the same keys when the person asks for it', async () => {
    await fill(pictures(10));
    const before = catalog.uploads.length;
    catalog.respond = (upload) => upload.succeed(1);
    uploads.retryAll();
    await until(() => inState('uploaded') === 10);
    await pause(100);

    const keys = new Set(catalog.uploads.map(({ request }) => request.idempotencyKey));
    expect([catalog.uploads.length - before, keys.size]).to.deep.equal([10, 10]);
    expect(summary().full).to.equal(false);
  });

  it('are tried for files that are chosen later', async () => {
    await fill(pictures(10));
    const before = catalog.uploads.length;
    catalog.respond = (upload) => upload.succeed(1);
    uploads.add([picture('later.jpg')]);
    await until(() => inState('uploaded') === 1);

    expect(catalog.uploads.length - before).to.equal(1);
  });
});

describe('uploads in a session that ends', () => {
  useUploads();

  it('keeps the queue, which goes on after the sign-in', async () => {
    uploads.add(pictures(2));
    await sent(1);
    for (const upload of catalog.uploads) upload.fail(Object.assign(new Error(), { name: 'SignedOut' }));
    session.set({ kind: 'ended' });
    await until(() => inState('waiting') === 2);
    await pause(600_000);
    expect(summary().hold).to.deep.include({ kind: 'signed-out' });
    expect(catalog.uploads).to.have.lengthOf(2);
    session.set({ kind: 'signed-in' });

    (await sent(2)).succeed(1);
    (await sent(3)).succeed(2);
    await until(() => inState('uploaded') === 2);
  });

  it('a provider that cannot be reached is not the end: the uploads wait for it', async () => {
    uploads.add([picture('cat.jpg')]);
    (await sent(0)).fail(new TypeError('Failed to fetch'));
    await until(() => stateOf(0).kind === 'waiting');
    await pause(100);
    expect(summary().hold).to.deep.include({ kind: 'provider-unreachable', retries: true });
    await pause(1000);

    await sent(1);
  });
});

describe('uploads in a pause', () => {
  useUploads();

  for (const [phase, reach] of [
    [
      'waiting',
      async () => {
        online.set(false);
        await until(() => stateOf(0).kind === 'checking');
      },
    ],
    [
      'hashing',
      async () => {
        const once = digest;
        digest = async () => {
          digest = once;
          return await new Promise(() => {});
        };
        await until(() => stateOf(0).kind === 'hashing');
      },
    ],
    [
      'uploading',
      async () => {
        (await sent(0)).request.onProgress({ loaded: 2 });
      },
    ],
  ] as const) {
    it(`interrupts a file that is ${phase}; it goes on with its key`, async () => {
      uploads.add([picture('cat.jpg')]);
      await reach();
      uploads.pause(item(0));
      online.set(true);
      const before = catalog.uploads.length;
      await pause(60_000);
      expect(stateOf(0).kind).to.equal('paused');
      expect(catalog.uploads).to.have.lengthOf(before);

      uploads.resume(item(0));
      expect((await sent(before)).request.idempotencyKey).to.equal('key-1');
    });
  }

  it('of all interrupts what is under way, and resume takes the same files first', async () => {
    uploads.add(pictures(5));
    await sent(2);
    uploads.pauseAll();
    await pause(60_000);
    expect(catalog.uploads.map(({ isAborted }) => isAborted)).to.deep.equal([true, true, true]);
    expect(summary()).to.include({ paused: true, waiting: 5 });

    uploads.resumeAll();
    await sent(5);
    const names = catalog.uploads.map(({ file }) => file.name);
    expect(names.slice(3)).to.deep.equal(names.slice(0, 3));
  });

  it('and resume at once sends a file once', async () => {
    uploads.add([picture('cat.jpg')]);
    await sent(0);
    uploads.pauseAll();
    uploads.resumeAll();
    (await sent(1)).succeed(1);
    await until(() => stateOf(0).kind === 'uploaded');
    await pause(60_000);

    expect(catalog.uploads).to.have.lengthOf(2);
  });
});

describe('uploads that are cancelled', () => {
  useUploads();

  for (const [phase, reach] of [
    [
      'hashing',
      async () => {
        digest = async () => await new Promise(() => {});
        await until(() => stateOf(0).kind === 'hashing');
      },
    ],
    [
      'checking',
      async () => {
        online.set(false);
        await until(() => stateOf(0).kind === 'checking');
        online.set(true);
      },
    ],
    [
      'uploading',
      async () => {
        await sent(0);
      },
    ],
  ] as const) {
    it(`ends a file that is ${phase}`, async () => {
      uploads.add([picture('cat.jpg')]);
      await reach();
      const before = catalog.uploads.length;
      uploads.cancel(item(0));
      await pause(60_000);

      expect(stateOf(0).kind).to.equal('cancelled');
      expect(catalog.uploads).to.have.lengthOf(before);
      expect(uploads.hasUnfinished).to.equal(false);
    });
  }

  it('of a paused file, and of one that waits for an earlier attempt', async () => {
    uploads.add(pictures(2));
    (await sent(1)).fail(refused(409, 'idempotency_key_in_use'));
    await until(() => stateOf(1).kind === 'waiting');
    uploads.pause(item(0));
    uploads.cancel(item(0));
    uploads.cancel(item(1));
    await pause(60_000);

    expect(inState('cancelled')).to.equal(2);
    expect(catalog.uploads).to.have.lengthOf(2);
  });

  it('of all ends everything, also a folder that is being read', async () => {
    const gate = new Gate();
    uploads.add(
      (async function* () {
        yield* pictures(64);
        await gate.opened;
        yield* pictures(64);
      })(),
    );
    await sent(2);
    uploads.cancelAll();
    gate.open();
    await until(() => !uploads.hasUnfinished);

    expect(uploads.items.get()).to.have.lengthOf(64);
    expect(inState('cancelled')).to.equal(64);
  });

  it('is not for ever: a retry sends the same key', async () => {
    uploads.add([picture('cat.jpg')]);
    await sent(0);
    uploads.cancelAll();
    uploads.retryAll();

    expect((await sent(1)).request.idempotencyKey).to.equal('key-1');
  });

  it('refreshes the list if the service may have stored the picture already', async () => {
    uploads.add([picture('cat.jpg')]);
    const { request, file } = await sent(0);
    request.onProgress({ loaded: file.size });
    uploads.cancel(item(0));

    expect(refreshes).to.equal(1);
  });
});

describe('uploads in the list of pictures', () => {
  useUploads();

  it('is refreshed every three seconds while pictures arrive, and at the end', async () => {
    uploads.add(pictures(4));
    await sent(2);
    catalog.uploads[0]?.succeed(1);
    catalog.uploads[1]?.succeed(2);
    await until(() => inState('uploaded') === 2);
    await pause(2999);
    expect(refreshes).to.equal(0);
    await pause(1);
    expect(refreshes).to.equal(1);

    catalog.uploads[2]?.succeed(3);
    (await sent(3)).succeed(4);
    await until(() => inState('uploaded') === 4);
    await pause(60_000);
    expect(refreshes).to.equal(2);
  });
});

describe('uploads', () => {
  useUploads();

  it('refreshes the list at the end, also if the last file is refused', async () => {
    uploads.add(pictures(2));
    await sent(1);
    catalog.uploads[0]?.succeed(1);
    await until(() => inState('uploaded') === 1);
    expect(refreshes).to.equal(0);
    catalog.uploads[1]?.fail(refused(422, 'invalid_image'));
    await until(() => inState('refused') === 1);

    expect(refreshes).to.equal(1);
  });

  it('asks before the page is left as long as something is unfinished', async () => {
    expect(uploads.hasUnfinished).to.equal(false);
    uploads.add([picture('cat.jpg')]);
    expect(uploads.hasUnfinished).to.equal(true);
    (await sent(0)).succeed(1);
    await until(() => !uploads.hasUnfinished);
  });

  it('takes finished files out of the list, and keeps the others', async () => {
    uploads.add([...pictures(2), fileOf('notes.txt', [1])]);
    (await sent(0)).succeed(1);
    await until(() => inState('uploaded') === 1);
    uploads.clearFinished();
    await pause(100);

    expect(uploads.items.get()).to.have.lengthOf(1);
    expect(summary().counts).to.include({ uploaded: 0, refused: 0, uploading: 1 });
  });

  it('tells of changes at most ten times a second', async () => {
    let changes = 0;
    uploads.summary.subscribe(() => {
      changes += 1;
    });
    catalog.respond = (upload) => upload.succeed(1);
    uploads.add(pictures(300));
    await until(() => inState('uploaded') === 300);
    await pause(100);

    expect(changes).to.be.within(2, 3);
    expect(summary().uploaded).to.equal(300);
  });
});

/** Lets all work continue that waits for neither a test nor the clock. */
async function quiet(): Promise<void> {
  for (let round = 0; round < 30; round += 1) await settled();
}

async function until(isSo: () => boolean): Promise<void> {
  for (let round = 0; round < 20_000 && !isSo(); round += 1) await settled();
  if (!isSo()) throw new Error(`This never came true: ${isSo.toString()}`);
}

function fileOf(name: string, bytes: readonly number[]): File {
  // Node.js has files without the folder that they were chosen with.
  return Object.assign(new File([Uint8Array.from(bytes)], name), { webkitRelativePath: '' });
}

/** @param content files with the same content have the same digest */
function picture(name: string, content = name): File {
  return fileOf(name, [...JPEG, ...Buffer.from(content)]);
}

function pictures(count: number): readonly File[] {
  return Array.from({ length: count }, (_, index) => picture(`cat-${index}.jpg`));
}

async function digestOf(file: File): Promise<string | undefined> {
  return createHash('sha256')
    .update(new Uint8Array(await file.arrayBuffer()))
    .digest('hex');
}
