import { readdir } from 'node:fs/promises';
import { expect } from 'chai';
import { noisyPng } from '../support/fixtures/pictures.ts';
import { beginUpload } from '../support/http/begun-upload.ts';
import type { ImageRecord } from '../support/http/catalog-client.ts';
import { refusalOf } from '../support/http/refusal-of.ts';
import { TestService } from '../support/http/test-service.ts';
import { type OpenStorage, openSqliteAndFiles, type TestStorage } from '../support/http/test-storage.ts';

let png: Buffer;

before(async () => {
  png = await noisyPng(80, 60);
});

describe('A read-only service', () => {
  let storage: TestStorage;
  let service: TestService;
  let record: ImageRecord;

  before(async () => {
    const shared: OpenStorage = async (clock) => {
      storage = await openSqliteAndFiles(clock);
      return { ...storage, tearDown: async () => undefined };
    };
    const writable = await TestService.start({ openStorage: shared });
    record = await writable.upload(png);
    await writable.stop();
    service = await TestService.start({
      readOnly: true,
      scopes: { write: 'images:write', delete: 'images:delete' },
      openStorage: async () => storage,
    });
  });

  after(() => service.stop());

  it('sends no 100 Continue', async () => {
    const Authorization = service.bearerWith({ scope: 'images:write' });
    const { connection, first } = await beginUpload(service, '/api/upload', { Authorization });
    expect(refusalOf(first)).to.deep.equal([503, 'read_only']);
    await connection.closed;
  });

  it('makes and caches renditions', async () => {
    const path = `/api/image/${record.id}/file?width=32`;
    const [made, kept] = [await service.get(path), await service.get(path)];
    expect([made.status, kept.status]).to.deep.equal([200, 200]);
    expect(kept.body).to.deep.equal(made.body);
    const cache = storage.environment.RENDITION_CACHE_URL?.slice('file:'.length) ?? '';
    const files = await readdir(cache, { recursive: true, withFileTypes: true });
    expect(files.filter((file) => file.isFile())).to.have.length(1);
  });
});
