import { join } from 'node:path';
import { expect } from 'chai';
import { COMMANDS } from '../../src/infrastructure/commands/commands.ts';
import { PreparedCatalogs } from '../support/servers/prepared-catalogs.ts';
import { ServiceFolder } from '../support/servers/service-folder.ts';

const catalogs = new PreparedCatalogs();
let folder: ServiceFolder;

/** A line for each command that prints results. `serve` and `demo` go on without their readers: see stop.test.ts. */
const LINES: Readonly<Record<string, readonly string[]>> = {
  init: [
    '--provider',
    'other',
    '--issuer',
    'https://tenant.example.com/',
    '--audience',
    'images',
    '--offline',
    '--yes',
  ],
  doctor: [],
  migrate: [],
  verify: [],
  reindex: [],
  sweep: [],
  'rotate-link-key': [],
  changes: [],
  webhooks: ['list'],
  spaces: [],
  import: ['--direct', 'blobs'],
  backup: ['backup'],
  restore: ['backup'],
  export: ['--direct', 'exported'],
  transfer: ['--to-database', 'sqlite:./there.sqlite', '--to-blobs', 'file:./there'],
};

describe('A command whose reader has left', () => {
  before(async () => {
    folder = await ServiceFolder.open();
    await catalogs.copyTo(folder.path, 2);
  });

  after(async () => {
    await folder.close();
    await catalogs.remove();
  });

  it('is every command except the service and the demo', () => {
    expect(Object.keys(LINES)).to.have.members(
      Object.keys(COMMANDS).filter((name) => name !== 'serve' && name !== 'demo'),
    );
  });

  for (const [name, args] of Object.entries(LINES)) {
    it(`${name} says nothing about it, and ends as it does with a reader`, async () => {
      const withReader = await folder.runProcess(
        [name, ...args],
        folder.env,
        await copyOfFolder(`${name}-1`),
      );
      const child = folder.spawnCommand([name, ...args], folder.env, await copyOfFolder(`${name}-2`));
      child.leaveStdout();
      const { code } = await child.exited;

      expect(child.stderr).not.to.match(/EPIPE|^ +at /m);
      expect(code, child.stderr).to.equal(withReader.code);
    });
  }

  for (const args of [['--help'], ['--version'], ['export', '--help'], ['nothing']]) {
    it(`\`${args.join(' ')}\` ends quietly without both of its outputs`, async () => {
      const { code } = await folder.runProcess(args);
      const child = folder.spawnCommand(args);
      child.leaveOutput();

      expect(await child.exited).to.deep.equal({ code, signal: null });
    });
  }
});

async function copyOfFolder(name: string): Promise<string> {
  const path = join(folder.path, 'copies', name);
  await catalogs.copyTo(path, 2);
  return path;
}
