import { rm } from 'node:fs/promises';
import { expect } from 'chai';
import { shardedPath } from '../../src/adapters/filesystem/walk-shards.ts';
import { openSqliteDatabase } from '../../src/adapters/sql/sqlite/open-sqlite-database.ts';
import { parseBlobKey } from '../../src/domain/image/blob-key.ts';
import { noisyPng } from '../support/fixtures/pictures.ts';
import { randomNumbers } from '../support/fixtures/random-numbers.ts';
import { noise, type Picture } from '../support/http/busy-clients.ts';
import {
  type CatalogClient,
  type ImageRecord,
  sha256Of,
  uploadedId,
} from '../support/http/catalog-client.ts';
import { decodersOf, killAll } from '../support/servers/decoder-processes.ts';
import { ServiceFolder } from '../support/servers/service-folder.ts';
import { blobFolder, databaseFile, type RunningService } from '../support/servers/service-process.ts';
import { skipAloud } from '../support/skipped/skip-aloud.ts';
import { eventually } from '../support/time/eventually.ts';

const random = randomNumbers(4);

describe('two services on one SQLite file and one blob folder', () => {
  let folder: ServiceFolder;
  let services: readonly [RunningService, RunningService];
  let one: CatalogClient;
  let other: CatalogClient;

  before(async () => {
    folder = await ServiceFolder.open();
    services = await Promise.all([folder.start(), folder.start()]);
    [one, other] = [folder.client(services[0]), folder.client(services[1])];
  });

  after(() => folder?.close());

  it('make one image of concurrent uploads with the same key', async () => {
    const picture = await noise(random, 500_000);
    const send = (client: CatalogClient): Promise<Response> => uploadUnder('same-key', picture, client);

    const responses = await Promise.all([one, other, one, other, one, other].map(send));

    const made = responses.filter(({ status }) => status === 201);
    const refused = responses.filter(({ status }) => status !== 201);
    expect(made.length).to.be.at.least(1);
    for (const response of refused) {
      expect(response.status).to.equal(409);
      expect(await response.json()).to.include({ code: 'idempotency_key_in_use' });
      expect(response.headers.get('retry-after')).to.match(/^[1-9]\d*$/);
    }
    expect(new Set(made.map(uploadedId)).size).to.equal(1);
    expect(made.filter(({ headers }) => !headers.has('idempotency-replayed'))).to.have.length(1);
    for (const client of [one, other]) {
      const again = await send(client);
      expect(again.headers.get('idempotency-replayed')).to.equal('true');
      expect(again.headers.get('location')).to.equal(made[0]?.headers.get('location'));
    }
    expect((await one.list()).filter(({ sha256 }) => sha256 === picture.sha256)).to.have.length(1);
  });

  it('see a delete at once, whichever service received it', async () => {
    for (const [deleting, reading] of [
      [one, other],
      [other, one],
    ] as const) {
      const id = await uploadTo(deleting);
      expect((await reading.get(id)).status).to.equal(200);

      expect((await deleting.delete(id)).status).to.equal(204);

      expect((await reading.get(id)).status).to.equal(404);
      expect((await reading.file(id)).status).to.equal(404);
      expect((await reading.delete(id)).status).to.equal(404);
    }
  });

  it('serve a rendition that the other service made', async () => {
    const id = await uploadTo(one);
    const made = await one.file(id, '?width=32');
    expect(made.status).to.equal(200);
    const { filename } = (await (await one.get(id)).json()) as ImageRecord;
    // No service can make it again.
    await rm(shardedPath(blobFolder(folder.path), parseBlobKey(filename.slice(0, 36))));

    const served = await other.file(id, '?width=32');

    expect(served.status).to.equal(200);
    expect(await sha256Of(served)).to.equal(await sha256Of(made));
    expect((await other.file(id, '?width=48')).status, 'a rendition that was not made').to.equal(500);
    await other.delete(id);
  });

  it('take over the key of a killed service at once', async function () {
    if (process.platform !== 'linux') skipAloud(this, 'decoders are found on Linux only');
    const bytes = new Uint8Array(await noisyPng(300, 300));
    const picture = { bytes, name: 'held.png' };
    const doomed = await folder.start({ DECODERS: '2', DECODERS_IDLE: '2' });
    const decoders = await eventually(
      () => decodersOf(doomed.process.pid),
      (pids) => pids.length === 2,
    );
    // The upload holds its key as long as they stand still.
    for (const pid of decoders) process.kill(pid, 'SIGSTOP');
    const aborted = uploadUnder('held-key', picture, folder.client(doomed)).catch(() => undefined);
    await keyIsHeld('held-key');
    await doomed.process.stop('SIGKILL');
    killAll(decoders);
    expect(await aborted).to.equal(undefined);
    expect(await isHeld('held-key'), 'killed while it held the key').to.equal(true);

    const response = await uploadUnder('held-key', picture, other);

    expect(response.status).to.equal(201);
    expect(response.headers.has('idempotency-replayed')).to.equal(false);
    expect((await one.list()).filter(({ size }) => size === bytes.length)).to.have.length(1);
  });

  async function keyIsHeld(key: string): Promise<void> {
    await eventually(() => isHeld(key), Boolean);
  }

  async function isHeld(key: string): Promise<boolean> {
    const knex = openSqliteDatabase(databaseFile(folder.path));
    try {
      return (await knex('idempotency_keys').where({ key }).whereNull('image_id')).length > 0;
    } finally {
      await knex.destroy();
    }
  }
});

async function uploadTo(client: CatalogClient): Promise<number> {
  const { bytes, name } = await noise(random);
  const response = await client.upload(bytes, name);
  expect(response.status).to.equal(201);
  return uploadedId(response);
}

async function uploadUnder(
  key: string,
  { bytes, name }: Pick<Picture, 'bytes' | 'name'>,
  client: CatalogClient,
): Promise<Response> {
  return await client.upload(bytes, name, { 'idempotency-key': key });
}
