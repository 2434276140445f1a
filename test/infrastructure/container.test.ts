import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Container, ServiceIdentifier } from 'inversify';
import { pino } from 'pino';
import { type Config, parseConfig } from '../../src/infrastructure/config/config.ts';
import { createServiceContainer } from '../../src/infrastructure/create-service-container.ts';
import { createStorageContainer } from '../../src/infrastructure/create-storage-container.ts';
import { TOKENS } from '../../src/infrastructure/tokens.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/fixtures/temporary-folder.ts';

/** The tokens that only requests need. */
const OF_SERVICE = [
  'config',
  'metrics',
  'telemetry',
  'signingKeys',
  'changeSlots',
  'useCases',
  'addresses',
  'httpApi',
  'webhookSenders',
];

const LOG = pino({ level: 'silent' });

function filesIn(path: string): Readonly<Record<string, string>> {
  return {
    DATABASE_URL: `sqlite:${join(path, 'database/catalog.sqlite')}`,
    BLOB_STORE_URL: `file:${join(path, 'blobs')}`,
    RENDITION_CACHE_URL: `file:${join(path, 'renditions')}`,
  };
}

/** Nothing listens there: connections are made for the first statement and the first request. */
function serversIn(path: string): Readonly<Record<string, string>> {
  return {
    DATABASE_URL: 'postgres://user:password@127.0.0.1:1/catalog',
    BLOB_STORE_URL: 's3://bucket/prefix?endpoint=http://127.0.0.1:1&region=us-east-1',
    STAGING_URL: `file:${join(path, 'staging')}`,
  };
}

function configOf(storage: Readonly<Record<string, string>>): Config {
  return parseConfig({
    IDP_DOMAIN: 'https://tenant.example.com/',
    IDP_AUDIENCE: 'https://images.example.com/api',
    ...storage,
  });
}

describe('The container', () => {
  let folder: TemporaryFolder;
  let container: Container;

  beforeEach(async () => {
    folder = await temporaryFolder();
    container = createServiceContainer(configOf(filesIn(folder.path)), LOG);
  });

  afterEach(async () => {
    await container.unbindAllAsync();
    await folder.remove();
  });

  for (const [name, token] of Object.entries<ServiceIdentifier>(TOKENS)) {
    it(`resolves ${name} to one shared instance`, () => {
      const value: unknown = container.get(token);
      expect(value ?? undefined).not.to.equal(undefined);
      expect(container.get(token)).to.equal(value);
    });
  }

  it('resolves every token with records on Postgres and blobs on S3', async () => {
    const replicated = createServiceContainer(configOf(serversIn(folder.path)), LOG);
    for (const token of Object.values<ServiceIdentifier>(TOKENS)) replicated.get(token);
    await replicated.unbindAllAsync();
  });

  it('resolves every token for commands, except those of requests', async () => {
    const storage = createStorageContainer(configOf(filesIn(folder.path)), LOG);
    const tokens = Object.entries<ServiceIdentifier>(TOKENS);
    const missing = tokens.filter(([, token]) => !storage.isBound(token)).map(([name]) => name);
    for (const [, token] of tokens) if (storage.isBound(token)) storage.get(token);
    await storage.unbindAllAsync();

    expect(missing).to.have.members(OF_SERVICE);
  });

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
