import { expect } from 'chai';
import { IdempotencyKeyInUse, StorageUnavailable } from '../../src/domain/errors.ts';
import type {
  ClaimRequest,
  IdempotencyClaim,
  KeyRecords,
} from '../../src/domain/ports/records/idempotency-keys.ts';
import type { ImageRecords, ImageRepository } from '../../src/domain/ports/records/image-repository.ts';
import { COMMON_SPACE, type Space } from '../../src/domain/space/space.ts';
import { newImage } from '../support/fixtures/new-image.ts';
import { rejection } from '../support/fixtures/rejection.ts';
import type { ManualClock } from '../support/time/manual-clock.ts';
import { madeForEach } from './made-for-each.ts';

export interface IdempotencyKeysUnderTest {
  /** Empty before each test. */
  readonly keys: KeyRecords;
  /** The same keys as another process has them, and what ends that process. */
  readonly another: {
    readonly keys: KeyRecords;
    readonly end: () => void;
    /** The leases of all claims have lasted two minutes. */
    readonly expire: () => Promise<void>;
  };
  /** In the same database; empty before each test. */
  readonly images: ImageRecords;
  /** Read by `keys` and `images`. */
  readonly clock: ManualClock;
  tearDown(): Promise<void>;
}

const REQUEST: ClaimRequest = { space: COMMON_SPACE, scope: 'alice', key: 'a key', sha256: 'a'.repeat(64) };
const OTHERS: ReadonlyArray<readonly [string, Partial<ClaimRequest>]> = [
  ['another space', { space: 'elsewhere' as Space }],
  ['another scope', { scope: 'bob' }],
  ['another key', { key: 'another key' }],
  ['a key that differs in case', { key: 'A key' }],
  ['a key with a trailing space', { key: 'a key ' }],
  ['another scope and key with the same concatenation', { scope: 'alicea', key: ' key' }],
];

/** @throws {Error} if the key is held or completed */
export async function claimed(
  keys: KeyRecords,
  request: Partial<ClaimRequest> = {},
): Promise<IdempotencyClaim> {
  const result = await keys.claim({ ...REQUEST, ...request });
  if (result.state !== 'claimed') throw new Error(`The key is ${result.state}`);
  return result.claim;
}

/** Of the running test: set before each. */
let made: IdempotencyKeysUnderTest;
let keys: KeyRecords;
let images: ImageRecords;
let common: ImageRepository;

/** Registers tests of all guarantees of the `IdempotencyKeys` port, and those of `ImageRepository` about claims. */
export function behavesLikeIdempotencyKeys(
  name: string,
  setUp: () => Promise<IdempotencyKeysUnderTest>,
): void {
  describe(`${name} behaves like IdempotencyKeys`, () => {
    madeForEach(setUp, (fresh) => {
      made = fresh;
      ({ keys, images } = made);
      common = images.in(COMMON_SPACE);
    });

    describe('claim', claimCases);
    describe('a key that another process holds', abandonedKeyCases);
    describe('release', releaseCases);
    describe('a claim that is no longer held', lostClaimCases);
    describe('removeClaimedBefore', removeClaimedBeforeCases);
  });
}

async function stateOf(request: Partial<ClaimRequest> = {}): Promise<string> {
  return (await keys.claim({ ...REQUEST, ...request })).state;
}

function claimCases(): void {
  it('refuses a held key to other callers, with the same bytes or others', async () => {
    await claimed(keys);

    expect(await stateOf()).to.equal('in_use');
    expect(await stateOf({ sha256: 'b'.repeat(64) })).to.equal('in_use');
  });

  it('grants a key to one of many concurrent callers', async () => {
    const states = await Promise.all(Array.from({ length: 20 }, () => stateOf()));

    expect(states.filter((state) => state === 'claimed')).to.have.length(1);
    expect(states.filter((state) => state === 'in_use')).to.have.length(19);
  });

  it('returns the image and the digest of a completed key', async () => {
    const { id } = await common.add(newImage(), await claimed(keys));

    const result = await keys.claim({ ...REQUEST, sha256: 'b'.repeat(64) });

    expect(result).to.deep.equal({ state: 'completed', imageId: id, sha256: REQUEST.sha256 });
  });

  it('is found in its space while it is held and when it is completed', async () => {
    expect(await keys.find(REQUEST)).to.equal(undefined);
    const claim = await claimed(keys);
    expect(await keys.find(REQUEST)).to.deep.equal({ state: 'in_use' });
    for (const [what, other] of OTHERS) {
      expect(await keys.find({ ...REQUEST, ...other }), what).to.equal(undefined);
    }
    const { id } = await common.add(newImage(), claim);

    const { sha256 } = REQUEST;
    expect(await keys.find(REQUEST)).to.deep.equal({ state: 'completed', imageId: id, sha256 });
  });

  it('records no image in another space than that of the claim', async () => {
    const claim = await claimed(keys);

    const elsewhere = images.in('elsewhere' as Space);
    expect(await rejection(elsewhere.add(newImage(), claim))).to.be.instanceOf(IdempotencyKeyInUse);

    expect(await stateOf()).to.equal('in_use');
  });

  it('reports a key as completed after its image is removed', async () => {
    const { id } = await common.add(newImage(), await claimed(keys));
    await common.removeById(id);

    expect(await stateOf()).to.equal('completed');
  });
}

function releaseCases(): void {
  it('frees the key', async () => {
    await keys.release(await claimed(keys));

    expect(await stateOf()).to.equal('claimed');
  });

  it('keeps other keys, which are granted while the first one is held', async () => {
    const claim = await claimed(keys);
    for (const [, other] of OTHERS) await claimed(keys, other);

    await keys.release(claim);

    for (const [what, other] of OTHERS) expect(await stateOf(other), what).to.equal('in_use');
  });

  it('does not change a completed key', async () => {
    const claim = await claimed(keys);
    await common.add(newImage(), claim);

    await keys.release(claim);

    expect(await stateOf()).to.equal('completed');
  });

  it('does not change a key that another caller has claimed since', async () => {
    const first = await claimed(keys);
    await keys.release(first);
    await claimed(keys);

    await keys.release(first);

    expect(await stateOf()).to.equal('in_use');
  });
}

function abandonedKeyCases(): void {
  it('is not taken over while that process runs', async () => {
    await claimed(made.another.keys);

    expect(await stateOf()).to.equal('in_use');
  });

  it('is taken over at once if that process has ended, by one of many callers', async () => {
    await claimed(made.another.keys);
    made.another.end();

    const states = await Promise.all(Array.from({ length: 10 }, () => stateOf()));

    expect(states.filter((state) => state === 'claimed')).to.have.length(1);
  });

  it('is taken over after two minutes, as one of the same process is, for another two minutes', async () => {
    await claimed(made.another.keys);
    await claimed(keys, { key: 'held by itself' });
    await made.another.expire();

    expect(await stateOf()).to.equal('claimed');
    expect(await stateOf({ key: 'held by itself' })).to.equal('claimed');
    expect(await stateOf()).to.equal('in_use');
    made.another.end();
    expect(await stateOf()).to.equal('in_use');
  });

  it('records no image for the claim that was taken over', async () => {
    const lost = await claimed(made.another.keys);
    made.another.end();
    const held = await claimed(keys);

    expect(await rejection(common.add(newImage(), lost))).to.be.instanceOf(IdempotencyKeyInUse);
    await made.another.keys.release(lost);
    expect(await stateOf()).to.equal('in_use');
    await common.add(newImage(), held);
    expect(await images.count()).to.equal(1);
  });

  it('is never taken over when it is completed', async () => {
    await common.add(newImage(), await claimed(made.another.keys));
    made.another.end();
    await made.another.expire();

    expect(await stateOf()).to.equal('completed');
  });
}

function lostClaimCases(): void {
  const LOSSES: ReadonlyArray<readonly [string, (claim: IdempotencyClaim) => Promise<unknown>]> = [
    ['was released', (claim) => keys.release(claim)],
    ['was completed', (claim) => common.add(newImage(), claim)],
    ['expired', () => keys.removeClaimedBefore(new Date(made.clock.now().getTime() + 1))],
    ['is held by another caller', (claim) => keys.release(claim).then(() => claimed(keys))],
  ];
  it('does not fail images that are added at the same time', async () => {
    const lost = await claimed(keys);
    await keys.release(lost);
    const held = await claimed(keys, { key: 'another key' });

    const outcomes = await Promise.allSettled([
      common.add(newImage()),
      common.add(newImage()),
      common.add(newImage(), lost),
      common.add(newImage(), held),
    ]);

    const states = outcomes.map(({ status }) => status);
    expect(states).to.deep.equal(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
    expect(await images.count()).to.equal(3);
    const completed = await keys.claim({ ...REQUEST, key: 'another key' });
    expect(completed.state).to.equal('completed');
  });

  it('completes no claim with an image whose blob was removed, and can be released', async () => {
    const claim = await claimed(keys);
    const image = newImage();
    await images.removeUnrecorded(image.uuid, async () => {});

    expect(await rejection(common.add(image, claim))).to.be.instanceOf(StorageUnavailable);

    expect(await stateOf()).to.equal('in_use');
    await keys.release(claim);
    expect(await stateOf()).to.equal('claimed');
  });

  for (const [what, lose] of LOSSES) {
    it(`records no image after it ${what}`, async () => {
      const claim = await claimed(keys);
      await lose(claim);
      const before = await images.count();
      const image = newImage();

      expect(await rejection(common.add(image, claim))).to.be.instanceOf(IdempotencyKeyInUse);
      expect(await images.count()).to.equal(before);
      expect(await images.findUuidsAmong([image.uuid])).to.deep.equal(new Set());
    });
  }
}

function removeClaimedBeforeCases(): void {
  it('removes held and completed keys that were claimed before the time and returns their number', async () => {
    await claimed(keys);
    await common.add(newImage(), await claimed(keys, { key: 'completed' }));
    made.clock.advance(1);
    const time = made.clock.now();
    await claimed(keys, { key: 'later' });

    expect(await keys.removeClaimedBefore(time)).to.equal(2);
    expect(await keys.removeClaimedBefore(time)).to.equal(0);
    expect(await stateOf({ key: 'completed' })).to.equal('claimed');
    expect(await stateOf({ key: 'later' })).to.equal('in_use');
    expect(await images.count()).to.equal(1);
  });
}
