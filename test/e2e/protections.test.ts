import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { type TemporaryFolder, temporaryFolder } from '../support/fixtures/temporary-folder.ts';
import { runInThisProcess } from '../support/servers/command-in-process.ts';
import { PROJECT_FOLDER } from '../support/servers/service-process.ts';

/** What every way to run the service must bring, with what says so in a unit, in a Compose file and in a command for Podman. */
const PROTECTIONS: ReadonlyArray<
  readonly [what: string, unit: RegExp, service: (service: ComposeService) => boolean, command: RegExp]
> = [
  [
    'file systems that are read-only, except for its data',
    /^ProtectSystem=strict$/m,
    (service) => service.read_only === true,
    /--read-only /,
  ],
  [
    'a temporary folder of its own',
    /^PrivateTmp=true$/m,
    ({ tmpfs }) => tmpfs?.includes('/tmp') === true,
    /--tmpfs \/tmp /,
  ],
  [
    'no capabilities',
    /^CapabilityBoundingSet=\nAmbientCapabilities=$/m,
    ({ cap_drop }) => cap_drop?.includes('ALL') === true,
    /--cap-drop ALL /,
  ],
  [
    'no new privileges',
    /^NoNewPrivileges=true$/m,
    ({ security_opt }) => security_opt?.includes('no-new-privileges:true') === true,
    /--security-opt no-new-privileges /,
  ],
  [
    'a filter of system calls',
    /^SystemCallFilter=~process_vm_readv process_vm_writev$/m,
    ({ security_opt }) => security_opt?.some((option) => option.startsWith('seccomp=')) === true,
    /--security-opt seccomp=deploy\/seccomp\.json /,
  ],
  ['a bound of its memory', /^MemoryMax=2G$/m, ({ mem_limit }) => mem_limit === '2g', /--memory 2g /],
  [
    'a bound of its processes and threads',
    /^TasksMax=1024$/m,
    ({ pids_limit }) => pids_limit === 1024,
    /--pids-limit 1024 /,
  ],
  [
    'a parent that ends what it leaves behind',
    /^KillMode=mixed$/m,
    (service) => service.init === true,
    /--init /,
  ],
  [
    'a user other than root',
    /^User=image-catalog$/m,
    ({ user, build }) => build !== undefined || /^[1-9]\d*:/.test(user ?? ''),
    // The image sets it.
    /image-catalog$/,
  ],
];

interface ComposeService {
  readonly build?: object;
  readonly user?: string;
  readonly read_only?: boolean;
  readonly tmpfs?: readonly string[];
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly mem_limit?: string;
  readonly pids_limit?: number;
  readonly init?: boolean;
}

const UNITS = ['deploy/image-catalog.service', 'deploy/image-catalog@.service', 'init/image-catalog.service'];

/** Each with the name of the service in it. */
const COMPOSE_FILES = [
  ['deploy/compose.yaml', 'catalog-1'],
  ['deploy/compose.yaml', 'catalog-2'],
  ['deploy/compose.yaml', 'catalog-3'],
  ['deploy/dex/compose.yaml', 'catalog'],
  ['init/compose.yaml', 'catalog'],
] as const;

/** Files that have a command for Podman. */
const COMMANDS = ['deploy/Containerfile', 'docs/operations.md'];

let folder: TemporaryFolder;

/** @param name below `init/`: a file that `init` has written; else a file of the project */
async function textOf(name: string): Promise<string> {
  const path = name.startsWith('init/')
    ? folder.path + name.slice('init'.length)
    : join(PROJECT_FOLDER, name);
  return await readFile(path, 'utf8');
}

/** The runtime user of the image is checked with the Containerfile. */
async function serviceIn(file: string, name: string): Promise<ComposeService> {
  const { services } = parse(await textOf(file), { merge: true }) as {
    readonly services: Readonly<Record<string, ComposeService>>;
  };
  return services[name] as ComposeService;
}

async function commandIn(file: string): Promise<string> {
  const text = (await textOf(file)).replaceAll(/\\\n(?:#)? */g, '');
  return /podman run (.*)/.exec(text)?.[1] ?? '';
}

describe('Every way to run the service', () => {
  before(async () => {
    folder = await temporaryFolder();
    const answers = ['--yes', '--offline', '--issuer', 'https://id.example.com/', '--audience', 'images'];
    for (const kind of ['systemd', 'compose']) {
      const { code } = await runInThisProcess(
        ['init', ...answers, '--files', kind, '--force'],
        {},
        folder.path,
      );
      expect(code).to.equal(0);
    }
  });

  after(() => folder.remove());

  for (const [what, inUnit, inService, inCommand] of PROTECTIONS) {
    it(`has ${what}`, async () => {
      for (const unit of UNITS) expect(await textOf(unit), unit).to.match(inUnit);
      for (const [file, name] of COMPOSE_FILES) {
        expect(inService(await serviceIn(file, name)), `${file}, ${name}`).to.equal(true);
      }
      for (const file of COMMANDS) expect(await commandIn(file), file).to.match(inCommand);
    });
  }

  it('reads no .env file of a folder that the service may write to', async () => {
    for (const unit of UNITS) expect(await textOf(unit), unit).to.match(/^WorkingDirectory=\/$/m);
    expect(await serviceIn('init/compose.yaml', 'catalog')).to.have.property('working_dir', '/');
    expect((await textOf('deploy/Containerfile')).match(/^WORKDIR .+$/gm)?.at(-1)).to.equal('WORKDIR /');
  });

  it('has the profile of system calls that its Compose file names', async () => {
    const profile = await textOf('deploy/seccomp.json');
    for (const [file, name] of COMPOSE_FILES) {
      const { security_opt: options = [] } = await serviceIn(file, name);
      const path = options.find((option) => option.startsWith('seccomp='))?.slice('seccomp='.length) ?? '';
      expect(await textOf(join(file, '..', path)), file).to.equal(profile);
    }
  });

  it('finds its files in the package', async () => {
    const { files } = JSON.parse(await textOf('package.json')) as { readonly files: readonly string[] };

    expect(files).to.include('deploy');
    const excluded = files.filter((pattern) => pattern.startsWith('!deploy/'));
    expect(excluded).to.have.members(['!deploy/Containerfile', '!deploy/prometheus/rules.test.yml']);
  });
});
