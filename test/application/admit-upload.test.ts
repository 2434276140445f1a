import { expect } from 'chai';
import { AdmitUpload } from '../../src/application/upload/admit-upload.ts';
import { FORM_OVERHEAD_BYTES } from '../../src/application/upload/incoming-file.ts';
import { QuotaExceeded } from '../../src/domain/errors.ts';
import type { Space } from '../../src/domain/space/space.ts';
import { CatalogDoubles } from '../support/doubles/catalog-doubles.ts';
import { recorded } from '../support/doubles/intercepted.ts';
import { STAYING } from '../support/doubles/staying.ts';
import { FREE_SLOT, UNREAD_FILE } from '../support/doubles/uploads.ts';
import { newImage } from '../support/fixtures/new-image.ts';
import { rejection } from '../support/fixtures/rejection.ts';

const CATS = 'cats' as Space;
const DOGS = 'dogs' as Space;
const KEY = { scope: 'alice', key: 'first' };

describe('AdmitUpload', () => {
  let { keys, images } = new CatalogDoubles();
  let calls: string[];
  let admitUpload: AdmitUpload;

  beforeEach(async () => {
    ({ keys, images } = new CatalogDoubles());
    calls = [];
    const slots = { take: async () => FREE_SLOT };
    admitUpload = new AdmitUpload(recorded(images.spaces, calls), recorded(keys, calls), slots, slots);
    await images.spaces.setLimits(CATS, { bytes: 100 });
    await images.in(CATS).add(newImage({ size: 60 }));
  });

  /** An upload whose file has at least as many bytes, by its headers. */
  async function admit(minBytes: number, key?: typeof KEY): Promise<void> {
    const file = { ...UNREAD_FILE, bodyBytes: minBytes + FORM_OVERHEAD_BYTES };
    await admitUpload.execute({ space: CATS, requester: { subject: 'alice', signal: STAYING }, key, file });
  }

  it('admits as many bytes as are left, and no more', async () => {
    await admit(40);

    const refusal = await rejection(admit(41));
    expect(refusal).to.be.instanceOf(QuotaExceeded);
  });

  it('looks for the key only if there is no room', async () => {
    await admit(1, KEY);

    expect(calls).to.deep.equal(['find']);
  });

  it('admits a key that is in use: it may be a replay', async () => {
    await keys.claim({ ...KEY, space: CATS, sha256: '0' });

    await admit(1000, KEY);
  });

  it('refuses a key that only another space or scope knows', async () => {
    await keys.claim({ ...KEY, space: DOGS, sha256: '0' });
    await keys.claim({ ...KEY, space: CATS, scope: 'bob', sha256: '0' });

    const refusal = await rejection(admit(1000, KEY));

    expect(refusal).to.be.instanceOf(QuotaExceeded);
  });
});
