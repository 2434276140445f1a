import { expect } from 'chai';
import { RecentRenditions } from '../../src/adapters/memory/recent-renditions.ts';
import type { RenditionKey } from '../../src/domain/ports/bytes/rendition-cache.ts';
import { behavesLikeARenditionCache } from '../contracts/rendition-cache.contract.ts';
import { InMemoryRenditionCache } from '../support/doubles/in-memory-rendition-cache.ts';
import { intercepted } from '../support/doubles/intercepted.ts';
import { collect, patternedBytes } from '../support/fixtures/bytes.ts';

const LIMITS = { maxBytes: 8_000, maxEntryBytes: 3_000, maxAgeMs: 60_000 };
const UUID = '5f0f1d5e-3c1b-4a53-9f0a-6d2f8c7b1e42';
const KEY: RenditionKey = { uuid: UUID, name: 'a.webp' };

let now: number;
let asked: number;
let behind: InMemoryRenditionCache;
let cache: RecentRenditions;

function useCache(): void {
  beforeEach(() => {
    now = 1;
    asked = 0;
    behind = new InMemoryRenditionCache();
    const counting = intercepted(behind, async (method, proceed) => {
      if (method === 'open') asked += 1;
      return await proceed();
    });
    cache = new RecentRenditions(counting, LIMITS, () => now);
  });
}

async function open(key: RenditionKey): Promise<Uint8Array | undefined> {
  const opened = await cache.open(key);
  return opened && (await collect(opened.read()));
}

describe('RecentRenditions', () => {
  useCache();

  behavesLikeARenditionCache('RecentRenditions', async () => ({
    cache: new RecentRenditions(new InMemoryRenditionCache(), LIMITS),
    tearDown: async () => undefined,
  }));

  it('reads a repeatedly used rendition once from the underlying cache', async () => {
    const bytes = patternedBytes(100);
    await behind.put(KEY, bytes);

    for (let times = 0; times < 3; times += 1) expect(await open(KEY)).to.deep.equal(bytes);

    expect(asked).to.equal(1);
  });

  it('tells renditions in memory from those of the underlying cache', async () => {
    await behind.put(KEY, patternedBytes(100));

    const origins = [await cache.open(KEY), await cache.open(KEY)].map((opened) => opened?.isFromMemory);
    expect(origins).to.deep.equal([undefined, true]);
  });

  it('does not read a rendition that was just put', async () => {
    await cache.put(KEY, patternedBytes(100));

    expect(await open(KEY)).to.have.length(100);
    expect(asked).to.equal(0);
  });

  it('reads a rendition again after its lifetime, so that removed ones are no longer returned', async () => {
    await cache.put(KEY, patternedBytes(100));
    await behind.removeAllOf(UUID);

    now += LIMITS.maxAgeMs;
    expect(await open(KEY)).to.have.length(100);
    now += 1;
    expect(await open(KEY)).to.equal(undefined);
  });

  it('does not remember missing renditions', async () => {
    expect(await open(KEY)).to.equal(undefined);
    await behind.put(KEY, patternedBytes(100));

    expect(await open(KEY)).to.have.length(100);
  });

  it('does not keep a rendition that could not be put', async () => {
    const broken = new RecentRenditions(
      intercepted(behind, async (method, proceed) => {
        if (method === 'put') throw new Error('full');
        return await proceed();
      }),
      LIMITS,
    );

    await broken.put(KEY, patternedBytes(10)).catch(() => undefined);

    expect(await broken.open(KEY)).to.equal(undefined);
  });
});

describe('RecentRenditions with bounded memory', () => {
  useCache();

  it('does not keep large renditions', async () => {
    await cache.put(KEY, patternedBytes(LIMITS.maxEntryBytes + 1));

    await open(KEY);
    await open(KEY);

    expect(asked).to.equal(2);
  });

  it('evicts the least recently used rendition first', async () => {
    const keys = ['a', 'b', 'c'].map((name): RenditionKey => ({ uuid: UUID, name }));
    const [first = KEY, second = KEY, third = KEY] = keys;
    await cache.put(first, patternedBytes(2_400));
    await cache.put(second, patternedBytes(2_400));
    await open(first);
    await cache.put(third, patternedBytes(2_400));

    await open(first);
    await open(third);
    expect(asked).to.equal(0);
    await open(second);
    expect(asked).to.equal(1);
  });

  it('counts the overhead of each rendition', async () => {
    for (let number = 0; number < 100; number += 1) {
      await cache.put({ uuid: UUID, name: `${number}.webp` }, patternedBytes(1));
    }

    await open({ uuid: UUID, name: '0.webp' });
    expect(asked).to.equal(1);
    await open({ uuid: UUID, name: '99.webp' });
    expect(asked).to.equal(1);
  });

  it('counts the whole of a shared buffer', async () => {
    const shared = patternedBytes(LIMITS.maxBytes);
    await cache.put(KEY, shared.subarray(0, 10));

    await open(KEY);
    expect(asked).to.equal(1);
  });
});
