import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isInstalled } from '../skipped/is-installed.ts';
import { skipAloud } from '../skipped/skip-aloud.ts';
import { lastingPort } from './lasting-port.ts';
import { PostgresServer, type TestDatabase } from './postgres-server.ts';
import { ServerProgram } from './server-program.ts';

/** Round robin gives nearly every transaction another session. */
const SETTINGS = `
  listen_addr = 127.0.0.1
  pool_mode = transaction
  server_round_robin = 1
  default_pool_size = 4
  max_client_conn = 1000
  auth_type = scram-sha-256
  unix_socket_dir =
`;

/** Debian's pgbouncer in transaction mode, in front of a server of the tests. */
export class PgBouncer {
  static #shared: Promise<PgBouncer | undefined> | undefined;

  private constructor(
    readonly server: PostgresServer,
    private readonly port: number,
  ) {}

  /** One for all tests of a process, started at its first use; `undefined` if it is not installed. */
  static async shared(): Promise<PgBouncer | undefined> {
    PgBouncer.#shared ??= PgBouncer.#open();
    return await PgBouncer.#shared;
  }

  static async #open(): Promise<PgBouncer | undefined> {
    if (!isInstalled('pgbouncer')) return undefined;
    const server = await PostgresServer.shared();
    if (server === undefined) return undefined;
    const { owner, port: serverPort } = server;
    const folder = mkdtempSync(join(owner.uid === undefined ? tmpdir() : '/tmp', 'image-catalog-pgbouncer-'));
    const port = await lastingPort();
    const { connection } = server;
    const files = {
      'users.txt': `"${connection.user}" "${connection.password ?? ''}"\n`,
      'pgbouncer.ini': `[databases]\n  * = host=${connection.host} port=${serverPort}\n[pgbouncer]
  listen_port = ${port}\n  auth_file = ${join(folder, 'users.txt')}${SETTINGS}`,
    };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    const paths = ['', ...Object.keys(files)].map((name) => join(folder, name));
    for (const path of paths) if (owner.uid !== undefined) chownSync(path, owner.uid, owner.gid);
    await ServerProgram.start('pgbouncer', [join(folder, 'pgbouncer.ini')], port, owner);
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
    return new PgBouncer(server, port);
  }

  /** An empty catalog. */
  async newCatalog(): Promise<TestDatabase> {
    return this.#through(await this.server.newCatalog());
  }

  /** An empty database. */
  async newDatabase(): Promise<TestDatabase> {
    return this.#through(await this.server.newDatabase());
  }

  #through(database: TestDatabase): TestDatabase {
    const url = new URL(database.url);
    url.hostname = '127.0.0.1';
    url.port = String(this.port);
    return {
      ...database,
      url: url.href,
      connection: { ...database.connection, host: '127.0.0.1', port: this.port },
    };
  }
}

/** Tests that need PgBouncer. They are skipped with a message if it is not installed. */
export function describeOnPgBouncer(title: string, define: (bouncer: () => PgBouncer) => void): void {
  describe(title, () => {
    let bouncer: PgBouncer;

    before(async function () {
      bouncer = (await PgBouncer.shared()) ?? skipAloud(this, 'pgbouncer is not installed');
    });

    define(() => bouncer);
  });
}
