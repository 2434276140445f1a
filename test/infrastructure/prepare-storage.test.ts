import { expect } from 'chai';
import type { CatalogStorage } from '../../src/infrastructure/catalog-storage.ts';
import { requireStorage } from '../../src/infrastructure/start/prepare-storage.ts';
import { UnusableDependency } from '../../src/infrastructure/start/unusable-dependency.ts';
import { rejection } from '../support/fixtures/rejection.ts';

describe('A command', () => {
  it('refuses a catalog that lacks migrations, and says what to do', async () => {
    const storage = {
      config: { database: { requireDriver: () => {}, requireExisting: async () => {} } },
      database: { schema: async () => 'older' },
    } as unknown as CatalogStorage;

    expect(await rejection(requireStorage(storage)))
      .to.be.instanceOf(UnusableDependency)
      .with.property('message')
      .that.matches(/^DATABASE_URL cannot be used: .* Run image-catalog migrate/);
  });
});
