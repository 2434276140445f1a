import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import type { Context } from 'koa';
import { partsOf, writePage } from '../../src/adapters/http/paging/write-page.ts';
import type { EncodedJson } from '../../src/adapters/http/response/json-writer.ts';
import type { Page } from '../../src/domain/ports/records/page.ts';
import { countTurns } from '../support/time/count-turns.ts';

const MIB = 1024 * 1024;
const ITEM_BYTES = 26 * 1024;
const COUNT = 1_000;
const PART = 32;

interface Reads {
  items: number;
}

/** Reads numbered items, of which the catalog has `COUNT`. */
function reading(reads: Reads): (after: number | undefined, limit: number) => Promise<Page<number, number>> {
  return async (after = 0, limit) => {
    const last = Math.min(after + limit, COUNT);
    const items = Array.from({ length: last - after }, (_, at) => ({
      item: after + at + 1,
      position: after + at + 1,
    }));
    reads.items += items.length;
    return { items, next: last < COUNT ? last : undefined };
  };
}

function contextOf(acceptEncoding: string): Context {
  return { get: () => acceptEncoding } as unknown as Context;
}

/** A text of characters that take four bytes and two UTF-16 units. */
function longText(number: number): readonly [number, string] {
  return [number, '😀'.repeat(ITEM_BYTES / 4)];
}

function bytesOf(body: Buffer | EncodedJson): Buffer {
  if (Buffer.isBuffer(body)) return body;
  const bytes = Buffer.concat(body.chunks);
  if (body.coding === 'br') return brotliDecompressSync(bytes);
  return body.coding === 'gzip' ? gunzipSync(bytes) : bytes;
}

async function pageFrom(after: number | undefined, reads: Reads, acceptEncoding = '') {
  const parts = partsOf(reading(reads), { after, limit: COUNT, size: PART });
  return await writePage(contextOf(acceptEncoding), parts, { view: longText });
}

describe('a page of long items', () => {
  it('ends in front of the item with which it would pass 4 MiB, and goes on behind the last one', async () => {
    const { body, next } = await pageFrom(undefined, { items: 0 });
    const bytes = bytesOf(body);
    const items = JSON.parse(bytes.toString()) as ReadonlyArray<readonly [number, string]>;
    expect(bytes.length).to.be.within(4 * MIB - ITEM_BYTES - 2 * 1024, 4 * MIB);
    expect(items.map(([number]) => number)).to.deep.equal(items.map((_, at) => at + 1));
    expect(next).to.equal(items.length);
  });

  it('makes a walk that has each item once', async () => {
    const seen: number[] = [];
    let after: number | undefined;
    do {
      const { body, next } = await pageFrom(after, { items: 0 });
      const items = JSON.parse(bytesOf(body).toString()) as ReadonlyArray<readonly [number]>;
      expect(items).not.to.deep.equal([]);
      seen.push(...items.map(([number]) => number));
      after = next;
    } while (after !== undefined);
    expect(seen).to.deep.equal(Array.from({ length: COUNT }, (_, at) => at + 1));
  });

  for (const coding of ['br', 'gzip']) {
    it(`is the same in ${coding}`, async () => {
      const [plain, encoded] = [
        await pageFrom(undefined, { items: 0 }),
        await pageFrom(undefined, { items: 0 }, coding),
      ];
      expect(bytesOf(encoded.body).equals(bytesOf(plain.body))).to.equal(true);
      expect(encoded.next).to.equal(plain.next);
      expect((encoded.body as EncodedJson).coding).to.equal(coding);
    });
  }

  it('reads at most one part more than it has', async () => {
    const reads = { items: 0 };
    const { next = 0 } = await pageFrom(undefined, reads);
    expect(reads.items).to.be.below(next + PART);
  });

  it('lets other work run many times meanwhile', async () => {
    const turns = countTurns();
    await pageFrom(undefined, { items: 0 });
    // In UTF-16 units the page is half as long.
    expect(turns.end()).to.be.at.least(7);
  });

  it('has at least one item, however long', async () => {
    const parts = partsOf(reading({ items: 0 }), { after: 998, limit: 5, size: PART });
    const { body, next } = await writePage(contextOf(''), parts, { view: () => 'x'.repeat(5 * MIB) });
    expect(JSON.parse(bytesOf(body).toString())).to.have.length(1);
    expect(next).to.equal(999);
  });

  it('fails as reading fails', async () => {
    const failure = new Error('unavailable');
    const parts = (async function* () {
      yield await reading({ items: 0 })(undefined, PART);
      throw failure;
    })();
    const outcome = await writePage(contextOf('br'), parts, { view: longText }).catch(
      (error: unknown) => error,
    );
    expect(outcome).to.equal(failure);
  });
});

describe('a page of short items', () => {
  for (const limit of [1, PART, PART + 1, 100, COUNT]) {
    it(`has all ${limit} of its limit`, async () => {
      const parts = partsOf(reading({ items: 0 }), { after: undefined, limit, size: PART });
      const { body, next } = await writePage(contextOf(''), parts, { view: (number) => number });
      expect(JSON.parse(bytesOf(body).toString())).to.have.length(limit);
      expect(next).to.equal(limit === COUNT ? undefined : limit);
    });
  }

  it('goes on where its last part does, also without an item', async () => {
    const parts = (async function* () {
      yield { items: [], next: 7 };
    })();
    const { body, next } = await writePage(contextOf(''), parts, { view: (number) => number });
    expect([bytesOf(body).toString(), next]).to.deep.equal(['[]', 7]);
  });
});
