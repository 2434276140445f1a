import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import type { LinkKey, LinkKeyRecords, NewLinkKey } from '../../src/domain/ports/records/link-keys.ts';
import { madeForEach } from './made-for-each.ts';

export interface LinkKeysUnderTest {
  /** Of a catalog without keys, one instance per process. */
  readonly processes: readonly [LinkKeyRecords, ...LinkKeyRecords[]];
  tearDown(): Promise<void>;
}

function newKey(createdAt = new Date('2026-01-31T12:00:00.123Z')): NewLinkKey {
  return { secret: randomBytes(32), createdAt };
}

/** Buffers and other arrays of bytes are not deeply equal. */
function shown(keys: readonly LinkKey[]): readonly unknown[] {
  return keys.map(({ generation, secret, createdAt }) => ({
    generation,
    secret: Buffer.from(secret).toString('hex'),
    createdAt,
  }));
}

/** Registers tests of all guarantees of the `LinkKeyRecords` ports; `setUp` runs before each test. */
export function behavesLikeLinkKeys(name: string, setUp: () => Promise<LinkKeysUnderTest>): void {
  describe(`${name} behaves like LinkKeys`, () => {
    let made: LinkKeysUnderTest;
    let keys: LinkKeyRecords;

    madeForEach(setUp, (fresh) => {
      made = fresh;
      [keys] = made.processes;
    });

    it('keeps the first key, with its time', async () => {
      expect(await keys.findAll()).to.deep.equal([]);
      const [first, second] = [newKey(), newKey()];

      await keys.addFirst(first);
      await keys.addFirst(second);

      expect(shown(await keys.findAll())).to.deep.equal(shown([{ ...first, generation: 1 }]));
    });

    it('gets one first key from many concurrent callers', async () => {
      const callers = Array.from({ length: 5 }, () => made.processes).flat();

      await Promise.all(callers.map((caller) => caller.addFirst(newKey())));

      expect(await keys.findAll()).to.have.length(1);
    });

    it('puts the newest key first, whatever the clocks say', async () => {
      await keys.addFirst(newKey(new Date(3)));
      await keys.rotate(newKey(new Date(2)), []);
      await keys.rotate(newKey(new Date(1)), []);

      const found = await keys.findAll();

      expect(found.map(({ createdAt }) => createdAt.getTime())).to.deep.equal([1, 2, 3]);
      expect(found.map(({ generation }) => generation)).to.deep.equal([3, 2, 1]);
    });

    it('removes the named generations as it rotates', async () => {
      for (let count = 0; count < 3; count += 1) await keys.rotate(newKey(), []);

      await keys.rotate(newKey(), [1, 2]);

      expect((await keys.findAll()).map(({ generation }) => generation)).to.deep.equal([4, 3]);
    });

    it('removes all other keys as it rotates, and adds no first one later', async () => {
      await keys.addFirst(newKey());
      const key = newKey();

      await keys.rotate(key, 'all others');
      await keys.addFirst(newKey());

      expect(shown(await keys.findAll())).to.deep.equal(shown([{ ...key, generation: 2 }]));
    });

    it('gets a generation for each of many concurrent rotations', async () => {
      const callers = Array.from({ length: 3 }, () => made.processes).flat();

      await Promise.all(callers.map((caller) => caller.rotate(newKey(), [])));

      const found = await keys.findAll();
      expect(found.map(({ generation }) => generation)).to.deep.equal(
        callers.map((_, index) => callers.length - index),
      );
    });
  });
}
