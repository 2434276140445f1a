import { expect } from 'chai';
import { Container } from 'inversify';
import type { OpenDatabase } from '../../src/adapters/sql/database/database-location.ts';
import type { StorageConfig } from '../../src/infrastructure/config/config.ts';
import { requireStorage } from '../../src/infrastructure/start/prepare-storage.ts';
import { UnusableDependency } from '../../src/infrastructure/start/unusable-dependency.ts';
import { TOKENS } from '../../src/infrastructure/tokens.ts';
import { rejection } from '../support/fixtures/rejection.ts';

describe('A command', () => {
  it('refuses a catalog that lacks migrations, and says what to do', async () => {
    const location = { requireDriver: () => {}, requireExisting: async () => {} };
    const storage = new Container();
    storage.bind(TOKENS.storageConfig).toConstantValue({ database: location } as unknown as StorageConfig);
    storage.bind(TOKENS.database).toConstantValue({ schema: async () => 'older' } as unknown as OpenDatabase);

    expect(await rejection(requireStorage(storage)))
      .to.be.instanceOf(UnusableDependency)
      .with.property('message')
      .that.matches(/^DATABASE_URL cannot be used: .* Run image-catalog migrate/);
  });
});
