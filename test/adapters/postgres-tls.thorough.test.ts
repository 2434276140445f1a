import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, copyFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import {
  openPostgresDatabase,
  type PostgresConnection,
  type PostgresTls,
} from '../../src/adapters/sql/postgres/open-postgres-database.ts';
import { StorageUnavailable } from '../../src/domain/errors.ts';
import { rejection } from '../support/fixtures/rejection.ts';
import { sqlPorts } from '../support/fixtures/sql-ports.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/fixtures/temporary-folder.ts';
import { PostgresServer, type TestDatabase } from '../support/servers/postgres-server.ts';
import { skipAloud } from '../support/skipped/skip-aloud.ts';

describe('A connection to Postgres over TLS', () => {
  let folder: TemporaryFolder;
  let server: PostgresServer | undefined;
  let database: TestDatabase;

  before(async function () {
    if (spawnSync('openssl', ['version']).status !== 0) skipAloud(this, 'openssl is not available');
    server =
      (await PostgresServer.startOwn()) ?? skipAloud(this, 'there is no Postgres server for this machine');
    folder = await temporaryFolder();
    makeCertificates(folder.path);
    await requireTls(server, folder.path);
    database = await server.newDatabase();
  });

  after(async () => {
    server?.remove();
    await folder?.remove();
  });

  /** Whether a connection is encrypted; rejects if there is no connection. */
  async function isEncrypted(differing: Partial<PostgresConnection>): Promise<boolean> {
    const knex = openPostgresDatabase({ ...database.connection, ...differing });
    try {
      await sqlPorts(knex).images.ping({ forChanges: false });
      const { rows } = await knex.raw<{ rows: Array<{ ssl: boolean }> }>(
        'select ssl from pg_stat_ssl where pid = pg_backend_pid()',
      );
      return rows[0]?.ssl === true;
    } finally {
      await knex.destroy();
    }
  }

  function tls(mode: 'verify-ca' | 'verify-full', authority?: string): PostgresTls {
    return { mode, rootCertificates: authority && join(folder.path, `${authority}.crt`) };
  }

  it('is encrypted if the certificate is from a trusted authority and for this host', async () => {
    expect(await isEncrypted({ host: 'localhost', tls: tls('verify-full', 'authority') })).to.equal(true);
  });

  it('is rejected with verify-full if the certificate is for another host', async () => {
    const error = await rejection(isEncrypted({ host: '127.0.0.1', tls: tls('verify-full', 'authority') }));

    expect(error).to.be.instanceOf(StorageUnavailable);
    expect(String(error.cause)).to.match(/altnames/);
  });

  it('is encrypted with verify-ca if the certificate is for another host', async () => {
    expect(await isEncrypted({ host: '127.0.0.1', tls: tls('verify-ca', 'authority') })).to.equal(true);
  });

  for (const mode of ['verify-ca', 'verify-full'] as const) {
    for (const [authority, whose] of [
      ['other-authority', 'another authority'],
      [undefined, 'the list of Node.js'],
    ] as const) {
      it(`is rejected with ${mode} if only ${whose} is trusted`, async () => {
        const error = await rejection(isEncrypted({ host: 'localhost', tls: tls(mode, authority) }));

        expect(error).to.be.instanceOf(StorageUnavailable);
      });
    }
  }

  it('is rejected without TLS by a server that requires it', async () => {
    const error = await rejection(isEncrypted({ tls: { mode: 'disable' } }));

    expect(error).to.be.instanceOf(StorageUnavailable);
  });
});

/** Two authorities, and a certificate for `localhost` issued by the first. */
function makeCertificates(folder: string): void {
  const openssl = (...args: readonly string[]): void =>
    void execFileSync('openssl', args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  for (const name of ['authority', 'other-authority']) {
    openssl(
      'req',
      '-x509',
      ...key,
      '-keyout',
      `${name}.key`,
      '-out',
      `${name}.crt`,
      '-days',
      '2',
      '-subj',
      `/CN=${name}`,
    );
  }
  openssl('req', ...key, '-keyout', 'server.key', '-out', 'server.csr', '-subj', '/CN=localhost');
  writeFileSync(join(folder, 'names'), 'subjectAltName=DNS:localhost');
  const by = [
    '-CA',
    'authority.crt',
    '-CAkey',
    'authority.key',
    '-CAcreateserial',
    '-days',
    '2',
    '-extfile',
    'names',
  ];
  openssl('x509', '-req', '-in', 'server.csr', '-out', 'server.crt', ...by);
}

/** Requires TLS for all databases but `postgres`, which the tests use for their own connection. */
async function requireTls(server: PostgresServer, folder: string): Promise<void> {
  const { dataFolder, owner } = server;
  for (const file of ['server.key', 'server.crt']) {
    copyFileSync(join(folder, file), join(dataFolder, file));
    chmodSync(join(dataFolder, file), 0o600);
    if (owner.uid !== undefined) chownSync(join(dataFolder, file), owner.uid, owner.gid);
  }
  rmSync(join(dataFolder, 'pg_hba.conf'));
  writeFileSync(
    join(dataFolder, 'pg_hba.conf'),
    'host postgres all 127.0.0.1/32 scram-sha-256\nhostssl all all localhost scram-sha-256\n',
    { mode: 0o644 },
  );
  await server.run('alter system set ssl = on');
  await server.run('select pg_reload_conf()');
}
