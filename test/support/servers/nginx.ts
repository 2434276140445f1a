import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';
import { eventually } from '../time/eventually.ts';
import { accepts } from './accepts.ts';
import { endProcess } from './end-process.ts';
import { lastingPort } from './lasting-port.ts';
import { PROJECT_FOLDER } from './service-process.ts';

export const NGINX_CONFIG = join(PROJECT_FOLDER, 'deploy/nginx.conf');

/** Prints the reason on stderr if it is not available: a skipped test must say why. */
export function isNginxInstalled(): boolean {
  const isInstalled = spawnSync('nginx', ['-v']).status === 0;
  if (!isInstalled) console.error('      nginx is not installed: what needs it is skipped');
  return isInstalled;
}

/** The settings of `deploy/nginx.conf` that depend on the machine. */
export interface NginxSettings {
  /** Ports of the services on the loopback interface. */
  readonly upstreams: readonly number[];
  /** Ports of their web listeners; those of the API by default, as without `WEB_PORT`. */
  readonly webUpstreams?: readonly number[];
  readonly blobFolder: string;
  /** The user of the workers if root runs the tests; root by default. */
  readonly user?: string;
  /** Replaces further parts of the configuration, each of which must exist. */
  readonly changes?: ReadonlyArray<readonly [what: RegExp, by: string]>;
}

/** nginx with the configuration of `deploy/`, on a free loopback port, as the user of the tests. */
export class Nginx {
  private constructor(
    readonly port: number,
    readonly folder: string,
    private readonly process: ChildProcess,
    private readonly removeFolder: () => Promise<void>,
    private readonly errors: readonly string[],
  ) {}

  static async start(settings: NginxSettings): Promise<Nginx> {
    const folder = await temporaryFolder();
    const port = await lastingPort();
    await writeFile(join(folder.path, 'nginx.conf'), await configOf(settings, port, folder.path));
    const child = spawn('nginx', nginxArguments(folder.path, 'daemon off;', settings.user), {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const errors: string[] = [];
    child.stderr.setEncoding('utf8').on('data', (text: string) => errors.push(text));
    // The master ends its workers.
    const endWithUs = (): void => void child.kill('SIGTERM');
    process.once('exit', endWithUs);
    child.once('exit', () => process.off('exit', endWithUs));
    const nginx = new Nginx(port, folder.path, child, folder.remove, errors);
    const isUp = await eventually(
      () => accepts(port),
      (accepted) => accepted || child.exitCode !== null,
    );
    if (isUp) return nginx;
    await nginx.stop();
    throw new Error(`nginx does not listen:\n${nginx.errorLog}`);
  }

  /** Its error log. */
  get errorLog(): string {
    return this.errors.join('');
  }

  async stop(): Promise<void> {
    await endProcess(this.process);
    await this.removeFolder();
  }
}

/** The output of `nginx -t` for a configuration in its own folder. */
export function nginxArguments(
  folder: string,
  directives: string,
  workerUser = userInfo().username,
): readonly string[] {
  // By default, workers of root run as another user, which cannot read the files of root.
  const user = process.getuid?.() === 0 ? `user ${workerUser};` : '';
  return ['-p', folder, '-c', join(folder, 'nginx.conf'), '-g', `${directives} ${user}`];
}

/** The delivered configuration with the settings of this machine. */
async function configOf(
  { upstreams, webUpstreams = upstreams, blobFolder, changes = [] }: NginxSettings,
  port: number,
  folder: string,
): Promise<string> {
  const all: NonNullable<NginxSettings['changes']> = [
    [/(?: *server catalog-\d:3000 [^;]*;\n)+/, serversOn(upstreams)],
    [/(?: *server catalog-\d:3002 [^;]*;\n)+/, serversOn(webUpstreams)],
    [/listen 8080;/, `listen 127.0.0.1:${port};`],
    [/\/var\/log\/nginx\//, `${folder}/`],
    [/worker_processes auto;/, 'worker_processes 1;'],
    [/alias \/data\/blobs\/;/, `alias ${blobFolder}/;`],
    ...changes,
  ];
  const config = (await readFile(NGINX_CONFIG, 'utf8')).replaceAll(' /tmp/', ` ${folder}/`);
  return all.reduce((text, [what, by]) => replaced(text, what, by), config);
}

function serversOn(ports: readonly number[]): string {
  return ports.map((port) => `server 127.0.0.1:${port} max_fails=1 fail_timeout=5s;\n`).join('');
}

function replaced(text: string, what: RegExp, by: string): string {
  if (!what.test(text)) throw new Error(`${what} is not in ${NGINX_CONFIG}`);
  return text.replace(what, () => by);
}
