import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Container, ServiceIdentifier } from 'inversify';
import { pino } from 'pino';
import type { Composition } from '../../src/infrastructure/compose.ts';
import { composeService } from '../../src/infrastructure/compose-service.ts';
import { parseConfig } from '../../src/infrastructure/config/config.ts';
import { type ServiceParts, TOKENS } from '../../src/infrastructure/tokens.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/fixtures/temporary-folder.ts';

function composeIn(path: string): Composition<ServiceParts> {
  const config = parseConfig({
    IDP_DOMAIN: 'https://tenant.example.com/',
    IDP_AUDIENCE: 'https://images.example.com/api',
    DATABASE_URL: `sqlite:${join(path, 'database/catalog.sqlite')}`,
    BLOB_STORE_URL: `file:${join(path, 'blobs')}`,
    RENDITION_CACHE_URL: `file:${join(path, 'renditions')}`,
  });
  return composeService(config, pino({ level: 'silent' }));
}

/** Of a composition that is not used. */
const NAMES = Object.keys(composeIn('/nowhere').parts) as Array<keyof typeof TOKENS>;

describe('The container', () => {
  let folder: TemporaryFolder;
  let container: Container;

  beforeEach(async () => {
    folder = await temporaryFolder();
    ({ container } = composeIn(folder.path));
  });

  afterEach(async () => {
    await container.unbindAllAsync();
    await folder.remove();
  });

  for (const name of NAMES) {
    const token: ServiceIdentifier = TOKENS[name];

    it(`resolves ${name} to one shared instance`, () => {
      const value: unknown = container.get(token);
      expect(value ?? undefined).not.to.equal(undefined);
      expect(container.get(token)).to.equal(value);
    });
  }

  it('opens no database before the first request for one', async () => {
    expect(existsSync(join(folder.path, 'database'))).to.equal(false);
    await container.get(TOKENS.images).ping({ forChanges: true });
    expect(existsSync(join(folder.path, 'database/catalog.sqlite'))).to.equal(true);
  });

  it('closes the database with everything else, and leaves no write-ahead log', async () => {
    await container.get(TOKENS.database).knex.raw('create table t (a)');
    expect(existsSync(join(folder.path, 'database/catalog.sqlite-wal'))).to.equal(true);
    await container.unbindAllAsync();
    expect(existsSync(join(folder.path, 'database/catalog.sqlite-wal'))).to.equal(false);
  });
});
