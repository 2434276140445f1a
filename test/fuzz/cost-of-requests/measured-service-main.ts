import { webFile } from '../../../src/adapters/http/response/web-file.ts';
import { type Name } from '../../../src/domain/name/name.ts';
import { publicPath } from '../../../src/domain/name/public-address.ts';
import type { Space } from '../../../src/domain/space/space.ts';
import { TOKENS } from '../../../src/infrastructure/tokens.ts';
import { ERROR } from '../../support/doubles/captured-log.ts';
import { sqlPorts } from '../../support/fixtures/sql-ports.ts';
import { TestService } from '../../support/http/test-service.ts';
import { openFiles } from '../../support/http/test-storage.ts';
import { WebListener } from '../../support/http/web-listener.ts';
import { newSqliteCatalog } from '../../support/servers/sqlite-catalog.ts';
import { LoopTurns } from '../../support/time/loop-turns.ts';
import { fillCatalogs, type HostileCatalogs } from './hostile-catalogs.ts';
import { knownWorkMs } from './known-work.ts';
import type { Command, Figures, Started } from './measured-service.ts';
import { WEB_ASSET } from './requests-of-listeners.ts';
import { makeSignedPaths } from './signed-paths.ts';

/** The level of the lines that a service writes by default. */
const INFO = 30;
const ALL_SPACES = 'images:all-spaces';
const A_DAY_SECONDS = 24 * 3600;
const WEB_FILE_BYTES = 1024 * 1024;

/** A service in a process of its own, which measures itself between `begin` and `end`. Its parent sends the commands. */
let catalogs: HostileCatalogs | undefined;
let turns: LoopTurns | undefined;
let cpu = process.cpuUsage();

const service = await TestService.start({
  spaceClaim: 'space',
  scopes: { allSpaces: ALL_SPACES },
  trashDays: 30,
  webUrl: 'https://cats.example.com/',
  publishNames: true,
  requestTimeoutMs: 120_000,
  openStorage: async (clock) => {
    const { knex, path, tearDown } = await newSqliteCatalog();
    const files = await openFiles();
    const folder = (files.environment['BLOB_STORE_URL'] ?? '').slice('file:'.length);
    catalogs = await fillCatalogs(knex, folder, Number(process.argv[2]));
    return {
      environment: { DATABASE_URL: `sqlite:${path}`, ...files.environment },
      images: sqlPorts(knex, { clock }).images,
      blobs: files.blobs,
      leftovers: () => Promise.resolve([]),
      tearDown: async () => {
        await tearDown();
        await files.tearDown();
      },
    };
  },
});

const { webRoutes, web, management } = await startListeners();
const tokens = Object.fromEntries(
  Object.values(catalogs ?? {}).map(({ space }) => [space, tokenOf(space)] as const),
);

/** Two files are all that the web listener needs: what it does for a file does not depend on the file. */
async function startListeners(): Promise<{
  readonly webRoutes: readonly string[];
  readonly web: WebListener;
  readonly management: WebListener;
}> {
  const { requests } = service.container.get(TOKENS.telemetry);
  const routed = requests.routed.bind(requests);
  const names = new Set<string>();
  requests.routed = (method, name): void => {
    if (name.startsWith('web:')) names.add(name);
    routed(method, name);
  };
  const files = new Map([
    ['/', webFile('text/html; charset=utf-8', Buffer.from('<!doctype html><title>Gallery</title>'))],
    [WEB_ASSET, webFile('text/javascript; charset=utf-8', Buffer.alloc(WEB_FILE_BYTES, 'x = 1;\n'))],
  ]);
  return {
    web: await WebListener.start(service, files),
    management: await WebListener.serve(service, service.container.get(TOKENS.httpApi).managementApp),
    webRoutes: [...names],
  };
}

async function post(space: string, path: string, body: object): Promise<unknown> {
  const headers = { authorization: `Bearer ${tokens[space]}`, 'content-type': 'application/json' };
  const response = await fetch(service.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  return await response.json();
}

process.on('message', (command: Command) => {
  void perform(command).then((result) => process.send?.(result));
});
process.on('disconnect', () => {
  void Promise.all([web.stop(), management.stop(), service.stop()]).finally(() => process.exit());
});
const filled = catalogs as unknown as HostileCatalogs;
const namedId = filled.named.firstId + filled.named.count - 1;
process.send?.({
  urls: {
    api: service.url,
    web: `http://127.0.0.1:${web.port}`,
    management: `http://127.0.0.1:${management.port}`,
  },
  webRoutes,
  signedPaths: {
    ...(await makeSignedPaths(post, filled['many-parts'].firstId, `planted-${namedId}-1`)),
    public: await publish(`planted-${namedId}-1`, namedId),
  },
  tokens,
  catalogs: filled,
  knownWorkMs: knownWorkMs(),
} satisfies Started);

/** Resolves to the path of a rendition. */
async function publish(text: string, id: number): Promise<string> {
  const names = service.container.get(TOKENS.names).in(filled.named.space as Space);
  const { named } = await names.set(text as Name, id, { isPublic: true, mayPublish: true });
  return `/${publicPath(named)}?width=320&format=webp`;
}

function tokenOf(space: string): string {
  const exp = Math.floor(Date.now() / 1000) + A_DAY_SECONDS;
  return service.token({ sub: `client of ${space}`, scope: ALL_SPACES, space, exp });
}

async function perform(command: Command): Promise<Figures | 'begun'> {
  if (command === 'end') return await end();
  await allIdle();
  service.log.clear();
  turns = new LoopTurns();
  cpu = process.cpuUsage();
  return 'begun';
}

async function allIdle(): Promise<void> {
  await Promise.all([service.idle(), web.idle(), management.idle()]);
}

async function end(): Promise<Figures> {
  await allIdle();
  const { user, system } = process.cpuUsage(cpu);
  const { cpuMs = 0, longestMs = 0 } = turns?.stop() ?? {};
  const lines = service.log.atLeast(INFO).map((entry) => JSON.stringify(entry));
  return {
    cpuMs: (user + system) / 1000,
    loopCpuMs: cpuMs,
    longestTurnMs: longestMs,
    bytesLogged: lines.reduce((sum, line) => sum + Buffer.byteLength(line), 0),
    errors: service.log.atLeast(ERROR).map((entry) => JSON.stringify(entry).slice(0, 500)),
  };
}
