import { expect } from 'chai';
import type { CatalogIdentity } from '../../src/domain/ports/records/catalog-identity.ts';
import { madeForEach } from './made-for-each.ts';

export interface CatalogIdentityUnderTest {
  /** Of a catalog without an identity, one instance per process. */
  readonly identities: readonly [CatalogIdentity, ...CatalogIdentity[]];
  tearDown(): Promise<void>;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const OTHER = '5f0f1d5e-3c1b-4a53-9f0a-6d2f8c7b1e42';

/** Registers tests of all guarantees of the `CatalogIdentity` port; `setUp` runs before each test. */
export function behavesLikeACatalogIdentity(
  name: string,
  setUp: () => Promise<CatalogIdentityUnderTest>,
): void {
  describe(`${name} behaves like a CatalogIdentity`, () => {
    let made: CatalogIdentityUnderTest;
    let identity: CatalogIdentity;

    madeForEach(setUp, (fresh) => {
      made = fresh;
      [identity] = made.identities;
    });

    it('is undefined before it is established, and find does not establish it', async () => {
      expect(await identity.find()).to.equal(undefined);
      expect(await identity.find()).to.equal(undefined);
    });

    it('is a UUID that does not change', async () => {
      const id = await identity.establish();

      expect(id).to.match(UUID);
      expect(await identity.establish()).to.equal(id);
      expect(await identity.find()).to.equal(id);
    });

    it('is established once by many concurrent callers', async () => {
      const callers = Array.from({ length: 5 }, () => made.identities).flat();

      const ids = await Promise.all(callers.map((caller) => caller.establish()));

      expect(new Set(ids).size).to.equal(1);
      expect(await identity.find()).to.equal(ids[0]);
    });

    for (const before of ['none', 'another']) {
      it(`becomes that of another catalog if there was ${before}`, async () => {
        if (before === 'another') await identity.establish();

        await identity.adopt(OTHER);

        expect(await identity.establish()).to.equal(OTHER);
        expect(await identity.find()).to.equal(OTHER);
      });
    }
  });
}
