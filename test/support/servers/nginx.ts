import { readFile, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';
import { isInstalled } from '../skipped/is-installed.ts';
import { lastingPort } from './lasting-port.ts';
import { ServerProgram } from './server-program.ts';
import { PROJECT_FOLDER } from './service-process.ts';

export const NGINX_CONFIG = join(PROJECT_FOLDER, 'deploy/nginx.conf');

export function isNginxInstalled(): boolean {
  return isInstalled('nginx', ['-v']);
}

/** The settings of `deploy/nginx.conf` that depend on the machine. */
export interface NginxSettings {
  /** Ports of the services on the loopback interface. */
  readonly upstreams: readonly number[];
  /** Ports of their web listeners; those of the API by default, as without `WEB_PORT`. */
  readonly webUpstreams?: readonly number[];
  readonly blobFolder: string;
  /** A free one by default. */
  readonly port?: number;
  /** The user of the workers if root runs the tests; root by default. */
  readonly user?: string;
  /** Replaces further parts of the configuration, each of which must exist. */
  readonly changes?: ReadonlyArray<readonly [what: RegExp, by: string]>;
}

/** nginx with the configuration of `deploy/`, on a free loopback port, as the user of the tests. The master ends its workers. */
export class Nginx {
  private constructor(
    readonly port: number,
    readonly folder: string,
    private readonly program: ServerProgram,
    private readonly removeFolder: () => Promise<void>,
  ) {}

  static async start(settings: NginxSettings): Promise<Nginx> {
    const { path, remove } = await temporaryFolder();
    const { port = await lastingPort() } = settings;
    await writeFile(join(path, 'nginx.conf'), await configOf(settings, port, path));
    const args = nginxArguments(path, 'daemon off;', settings.user);
    return new Nginx(port, path, await ServerProgram.start('nginx', args, port), remove);
  }

  /** Its error log. */
  get errorLog(): string {
    return this.program.errors;
  }

  async stop(): Promise<void> {
    await this.program.stop();
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
