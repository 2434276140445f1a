import { expect } from 'chai';
import { describeOnPostgres, useCatalog } from '../support/servers/postgres-server.ts';

describeOnPostgres('Autovacuum on Postgres', (server) => {
  const catalog = useCatalog(server);

  async function settingsOf(table: string): Promise<unknown> {
    const rows = `select reloptions from pg_class where oid = '${table}'::regclass`;
    return (await server().run(rows, catalog().connection.database))[0]?.reloptions;
  }

  for (const table of [
    'images',
    'image_metadata',
    'image_words',
    'image_tags',
    'image_appearances',
    'changes',
  ]) {
    it(`comes to ${table} when a hundredth of it has changed`, async () => {
      expect(await settingsOf(table)).to.deep.equal([
        'autovacuum_vacuum_scale_factor=0.01',
        'autovacuum_vacuum_insert_scale_factor=0.02',
        'autovacuum_analyze_scale_factor=0.02',
      ]);
    });
  }

  for (const table of [
    'spaces',
    'words',
    'tags',
    'timeline_days',
    'idempotency_keys',
    'webhook_endpoints',
    'sweep_slices',
  ]) {
    it(`finds free space on the pages of ${table}, whose rows change often`, async () => {
      expect(await settingsOf(table)).to.deep.equal(['fillfactor=80', 'autovacuum_vacuum_scale_factor=0.02']);
    });
  }
});
