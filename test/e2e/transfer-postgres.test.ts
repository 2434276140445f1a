import { join } from 'node:path';
import { expect } from 'chai';
import { PostgresServer } from '../support/servers/postgres-server.ts';
import { uploadSeveral } from '../support/servers/prepared-catalogs.ts';
import { Relay } from '../support/servers/relay.ts';
import { ServiceFolder } from '../support/servers/service-folder.ts';
import { blobFolder } from '../support/servers/service-process.ts';
import { skipAloud } from '../support/skipped/skip-aloud.ts';

describe('the transfer command, to Postgres,', function () {
  let server: PostgresServer;
  let relay: Relay;
  let folder: ServiceFolder;

  before(async function () {
    server =
      (await PostgresServer.startOwn()) ?? skipAloud(this, 'there is no Postgres server for this machine');
    relay = await Relay.to(`http://127.0.0.1:${server.port}`);
    folder = await ServiceFolder.open();
  });

  after(async () => {
    await folder?.close();
    await relay?.close();
    server?.remove();
  });

  it('ends with 75 if the target database dies and can be resumed once it is available again', async () => {
    const source = await folder.start();
    const images = await uploadSeveral(folder, source, 40);
    await source.process.stop();
    const database = new URL((await server.newDatabase()).url);
    database.port = new URL(relay.endpoint).port;
    const toBlobs = `file:${blobFolder(join(folder.path, 'there'))}`;
    const command = ['transfer', '--to-database', database.href, '--to-blobs', toBlobs];
    const held = heldAt(relay, 'insert into "images"');
    const cut = folder.spawnCommand([...command, '--jobs', '1']);
    await held;
    await server.kill();

    expect((await cut.exited).code, cut.output).to.equal(75);
    expect([cut.stdout, cut.stderr.includes('--resume')]).to.deep.equal(['', true]);
    relay.there = (bytes) => bytes;
    await server.start();
    const { stdout } = await folder.run([...command, '--resume', '--verify']);
    expect(JSON.parse(stdout)).to.include({ outcome: 'complete', findings: 0 });
    const target = await folder.start({ DATABASE_URL: database.href, BLOB_STORE_URL: toBlobs });
    expect(await folder.records(target)).to.deep.equal(images);
    await folder.stopAll();
  });
});

/** Resolves when the relay sees the statement, and stops it there. */
async function heldAt(relay: Relay, statement: string): Promise<void> {
  await new Promise<void>((resolve) => {
    relay.there = (bytes) => {
      if (!bytes.includes(statement)) return bytes;
      resolve();
      return 'stop';
    };
  });
}
