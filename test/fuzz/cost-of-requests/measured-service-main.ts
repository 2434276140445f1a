import { ERROR } from '../../support/doubles/captured-log.ts';
import { sqlPorts } from '../../support/fixtures/sql-ports.ts';
import { TestService } from '../../support/http/test-service.ts';
import { openFiles } from '../../support/http/test-storage.ts';
import { newSqliteCatalog } from '../../support/servers/sqlite-catalog.ts';
import { LoopTurns } from '../../support/time/loop-turns.ts';
import { fillCatalogs, type HostileCatalogs } from './hostile-catalogs.ts';
import { knownWorkMs } from './known-work.ts';
import type { Command, Figures, Started } from './measured-service.ts';

/** The level of the lines that a service writes by default. */
const INFO = 30;
const A_DAY_SECONDS = 24 * 3600;

/** A service in a process of its own, which measures itself between `begin` and `end`. Its parent sends the commands. */
let catalogs: HostileCatalogs | undefined;
let turns: LoopTurns | undefined;
let cpu = process.cpuUsage();

const service = await TestService.start({
  spaceClaim: 'space',
  trashDays: 30,
  webUrl: 'https://cats.example.com/',
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

process.on('message', (command: Command) => {
  void perform(command).then((result) => process.send?.(result));
});
process.on('disconnect', () => void service.stop().finally(() => process.exit()));
process.send?.({
  url: service.url,
  tokens: Object.fromEntries(Object.values(catalogs ?? {}).map(({ space }) => [space, tokenOf(space)])),
  catalogs: catalogs as HostileCatalogs,
  knownWorkMs: knownWorkMs(),
} satisfies Started);

function tokenOf(space: string): string {
  const exp = Math.floor(Date.now() / 1000) + A_DAY_SECONDS;
  return service.token({ sub: `client of ${space}`, space, exp });
}

async function perform(command: Command): Promise<Figures | 'begun'> {
  if (command === 'end') return await end();
  await service.idle();
  service.log.clear();
  turns = new LoopTurns();
  cpu = process.cpuUsage();
  return 'begun';
}

async function end(): Promise<Figures> {
  await service.idle();
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
