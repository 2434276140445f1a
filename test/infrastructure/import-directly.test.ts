import { expect } from 'chai';
import { RetryingImportTarget } from '../../src/adapters/service-client/retrying-import-target.ts';
import { InvalidImage, StorageUnavailable } from '../../src/domain/errors.ts';
import { ImportError, type ImportTarget } from '../../src/domain/ports/commands/import-target.ts';
import { respondAsService } from '../../src/infrastructure/commands/import/respond-as-service.ts';
import { InMemoryCatalog } from '../support/doubles/in-memory-import.ts';
import { rejection } from '../support/fixtures/rejection.ts';
import { ManualClock } from '../support/time/manual-clock.ts';

const DIGEST = '0'.repeat(64);
const UPLOAD = {
  name: 'a.png',
  size: 1,
  sha256: DIGEST,
  idempotencyKey: 'import-a',
  metadata: undefined,
  isExported: false,
  read: async function* () {},
};
const NEVER = new AbortController().signal;

describe('an import into the storage of this machine', () => {
  let catalog: InMemoryCatalog;
  let waits: number;

  beforeEach(() => {
    catalog = new InMemoryCatalog();
    waits = 0;
  });

  function retrying(target: ImportTarget = catalog): RetryingImportTarget {
    const wait = async (): Promise<void> => void (waits += 1);
    const options = { jobs: 1, maxWaitMs: 1000, wait };
    return new RetryingImportTarget(respondAsService(target), new ManualClock(), options);
  }

  it('counts a broken picture as refused, and sends it once', async () => {
    catalog.beforeUpload = () => {
      throw new InvalidImage('image/png');
    };

    const error = await rejection(retrying().upload(UPLOAD, NEVER));

    expect(error).to.be.instanceOf(ImportError).and.to.include({ code: 'invalid_image', isRefusal: true });
    expect([catalog.uploads.length, waits]).to.deep.equal([1, 0]);
  });

  it('repeats an upload if the storage is unavailable', async () => {
    catalog.beforeUpload = () => {
      if (catalog.uploads.length < 3) throw new StorageUnavailable();
    };

    expect(await retrying().upload(UPLOAD, NEVER)).to.include({ id: 1 });
    expect([catalog.uploads.length, waits]).to.deep.equal([3, 2]);
  });

  it('repeats a look-up if the storage is unavailable', async () => {
    let calls = 0;
    const lookUp: ImportTarget['lookUp'] = async () => {
      calls += 1;
      if (calls === 1) throw new StorageUnavailable();
      return new Map([[DIGEST, [7]]]);
    };

    const found = await retrying({ lookUp, upload: async () => ({ id: 0 }) }).lookUp([DIGEST], NEVER);

    expect(found).to.deep.equal(new Map([[DIGEST, [7]]]));
    expect([calls, waits]).to.deep.equal([2, 1]);
  });

  it('passes on an unexpected error', async () => {
    const planted = new RangeError('planted');
    catalog.beforeUpload = () => {
      throw planted;
    };

    expect(await rejection(retrying().upload(UPLOAD, NEVER))).to.equal(planted);
  });
});
