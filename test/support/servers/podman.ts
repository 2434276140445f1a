import { execFile, spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/** The folder that has `bin/node`, its headers and npm. */
const NODE = dirname(dirname(process.execPath));
const HEADERS = join(NODE, 'include/node');
const NPM = join(NODE, 'lib/node_modules/npm');
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';

/** What containers need that is not there. */
export function missingForContainers(): readonly string[] {
  return [
    ...['podman', 'runc', 'mmdebstrap'].filter((program) => spawnSync(program, ['--version']).status !== 0),
    ...[HEADERS, NPM, CERTIFICATES].filter((path) => !existsSync(path)),
    ...(process.getuid?.() === 0 ? [] : ['root']),
  ];
}

/** Its images, containers and volumes are in a folder of its own, which `remove` empties. */
export class Podman {
  constructor(private readonly folder: string) {}

  /** Makes an image of packages of Debian, with the Node.js of this process below `/usr/local` and the user `node`. */
  async makeBase(name: string, packages: readonly string[]): Promise<void> {
    await mkdir(this.folder, { recursive: true });
    const tar = join(this.folder, `${name}.tar`);
    await run('mmdebstrap', [
      '--quiet',
      '--variant=minbase',
      `--include=ca-certificates,${packages.join(',')}`,
      ...hooks(),
      'bookworm',
      tar,
    ]);
    await this.run(['import', tar, name]);
  }

  /** Podman prints progress on stderr. Resolves to stdout. */
  async run(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string> {
    const { stdout } = await run('podman', [...this.#storage(), ...args], {
      env: { ...process.env, ...env },
      maxBuffer: MAX_OUTPUT_BYTES,
    });
    return stdout.trim();
  }

  /** Resolves to the exit code. */
  async exitCode(args: readonly string[]): Promise<number | null> {
    const child = spawn('podman', [...this.#storage(), ...args], { stdio: 'ignore' });
    return await new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', resolve);
    });
  }

  async remove(): Promise<void> {
    await this.run(['rm', '--all', '--force', '--time', '0']);
    await this.run(['volume', 'rm', '--all', '--force']);
    // The driver mounts its own folder.
    spawnSync('umount', ['--recursive', join(this.folder, 'root/overlay')]);
  }

  #storage(): readonly string[] {
    const { folder } = this;
    return ['--root', join(folder, 'root'), '--runroot', join(folder, 'run'), '--runtime', 'runc'];
  }
}

function hooks(): readonly string[] {
  return [
    'mkdir -p "$1/usr/local/lib/node_modules" "$1/usr/local/include"',
    `copy-in ${process.execPath} /usr/local/bin`,
    `copy-in ${HEADERS} /usr/local/include`,
    `copy-in ${NPM} /usr/local/lib/node_modules`,
    `copy-in ${CERTIFICATES} ${dirname(CERTIFICATES)}`,
    'ln -s ../lib/node_modules/npm/bin/npm-cli.js "$1/usr/local/bin/npm"',
    'chroot "$1" useradd --uid 1000 --create-home node',
  ].map((hook) => `--customize-hook=${hook}`);
}
