import { expect } from 'chai';
import { describeOnPostgres, useCatalog } from '../support/servers/postgres-server.ts';

describeOnPostgres('Autovacuum on Postgres', (server) => {
  const catalog = useCatalog(server);

  async function tablesWith(options: string): Promise<unknown> {
    const rows = `select relname from pg_class where array_to_string(reloptions, ' ') = '${options}' order by relname`;
    return (await server().run(rows, catalog().connection.database)).map(({ relname }) => relname);
  }

  it('comes to tables with rows for each image when a hundredth of them has changed', async () => {
    expect(
      await tablesWith(
        'autovacuum_vacuum_scale_factor=0.01 autovacuum_vacuum_insert_scale_factor=0.02 autovacuum_analyze_scale_factor=0.02',
      ),
    ).to.deep.equal([
      'changes',
      'image_appearances',
      'image_metadata',
      'image_tags',
      'image_words',
      'images',
    ]);
  });

  it('finds free space on the pages of tables whose rows change often', async () => {
    expect(await tablesWith('fillfactor=80 autovacuum_vacuum_scale_factor=0.02')).to.deep.equal([
      'change_counts',
      'idempotency_keys',
      'spaces',
      'sweep_slices',
      'tags',
      'timeline_days',
      'webhook_endpoints',
      'words',
    ]);
  });
});
