import { expect } from 'chai';
import { openSqliteDatabase } from '../../src/adapters/sql/sqlite/sqlite-database.ts';
import { noisyPng } from '../support/fixtures/pictures.ts';
import { uploadedId } from '../support/http/catalog-client.ts';
import { ScriptedServer } from '../support/servers/scripted-server.ts';
import { ServiceFolder } from '../support/servers/service-folder.ts';
import { databaseFile } from '../support/servers/service-process.ts';
import { WEBHOOK_SECRET, WebhookInbox } from '../support/servers/webhook-inbox.ts';
import { eventually } from '../support/time/eventually.ts';

describe('the built service, stopping while a webhook receiver does not respond', function () {
  let folder: ServiceFolder;
  let fine: WebhookInbox;
  let hung: ScriptedServer;

  beforeEach(async () => {
    folder = await ServiceFolder.open();
    fine = await WebhookInbox.open();
    hung = await ScriptedServer.start(
      () => {},
      (response) => response.writeHead(204).end(),
    );
  });

  afterEach(async () => {
    await folder.close();
    await fine.close();
    await hung.stop();
  });

  function idsAtHung(): readonly unknown[] {
    return hung.seen.map(({ body }) => (JSON.parse(body.toString()) as { data: { id: number } }).data.id);
  }

  async function leases(): Promise<readonly unknown[]> {
    const knex = openSqliteDatabase(databaseFile(folder.path));
    const rows = (await knex('webhook_endpoints')
      .select('lease_owner', 'state')
      .orderBy('number')) as unknown[];
    await knex.destroy();
    return rows;
  }

  it('ends with 0 within a grace of 3 s, and gives all leases up; the try is made again', async () => {
    const env = { WEBHOOK_URLS: `${hung.url}/,${fine.url}`, WEBHOOK_SECRETS: WEBHOOK_SECRET };
    const service = await folder.start({ ...env, SHUTDOWN_GRACE_SECONDS: '3' });
    const picture = new Uint8Array(await noisyPng(8, 8));
    const ids = [uploadedId(await folder.client(service).upload(picture, 'a.png'))];
    ids.push(uploadedId(await folder.client(service).upload(picture, 'b.png')));
    await fine.whenReceived(2);
    await eventually(idsAtHung, ({ length }) => length === 1);

    expect(await service.process.stop()).to.deep.equal({ code: 0, signal: null });

    expect(await leases()).to.deep.equal([
      { lease_owner: null, state: 'ok' },
      { lease_owner: null, state: 'ok' },
    ]);
    await folder.start(env);
    await eventually(idsAtHung, ({ length }) => length === 3);
    expect(idsAtHung()).to.deep.equal([ids[0], ...ids]);
    expect(fine.messages.map(({ body }) => body.data?.id)).to.deep.equal(ids);
    expect(service.process.output).not.to.include('webhook not delivered');
  });
});
