import { join } from 'node:path';
import { expect } from 'chai';
import { describeOnPostgres, type TestDatabase } from '../support/servers/postgres-server.ts';
import { ServiceFolder } from '../support/servers/service-folder.ts';
import { blobFolder, databaseFile } from '../support/servers/service-process.ts';
import { linkOf, pathOf, statusesOf, uploadTo, WITH_WEB } from '../support/servers/signed-links.ts';
import { eventually } from '../support/time/eventually.ts';

describeOnPostgres('signed links of the built service on Postgres', (server) => {
  let folder: ServiceFolder;
  let database: TestDatabase;

  before(async () => {
    folder = await ServiceFolder.open();
    database = await server().newDatabase();
  });

  after(async () => {
    await folder?.close();
    await database?.drop();
  });

  it('are good after a transfer from SQLite, and after one back', async () => {
    const service = await folder.start(WITH_WEB);
    const id = await uploadTo(folder, service);
    const link = await linkOf(folder, service, id);
    const onPostgres = { DATABASE_URL: database.url };
    const back = join(folder.path, 'back');
    const onSqlite = {
      DATABASE_URL: `sqlite:${databaseFile(back)}`,
      BLOB_STORE_URL: `file:${blobFolder(folder.path)}`,
    };

    expect((await folder.run(['transfer', '--to-database', database.url])).code).to.equal(0);
    const there = await folder.start({ ...WITH_WEB, ...onPostgres });
    expect(await statusesOf([there], [link])).to.deep.equal([200]);
    expect((await folder.run(['rotate-link-key'], onPostgres)).code).to.equal(0);
    const newer = await eventually(
      () => linkOf(folder, there, id),
      (made) => pathOf(made) !== pathOf(link),
    );

    const copied = await folder.run(['transfer', '--to-database', onSqlite.DATABASE_URL], onPostgres);

    expect(copied.code).to.equal(0);
    const here = await folder.start({ ...WITH_WEB, ...onSqlite });
    expect(await statusesOf([here], [link, newer])).to.deep.equal([200, 200]);
  });
});
