import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';
import { isInstalled } from '../skipped/is-installed.ts';
import { lastingPort } from './lasting-port.ts';
import { ServerProgram } from './server-program.ts';
import { PROJECT_FOLDER } from './service-process.ts';

const VARNISH_CONFIG = join(PROJECT_FOLDER, 'deploy/varnish.vcl');

export function isVarnishInstalled(): boolean {
  return isInstalled('varnishd', ['-V']);
}

/** Varnish with the configuration of `deploy/`, on free loopback ports. The manager ends its child. */
export class Varnish {
  private constructor(
    readonly port: number,
    /** Of the listener for purges. */
    readonly purgePort: number,
    private readonly program: ServerProgram,
    private readonly removeFolder: () => Promise<void>,
  ) {}

  /** @param upstream port of a web listener */
  static async start(upstream: number): Promise<Varnish> {
    const { path, remove } = await temporaryFolder();
    const [port, purgePort] = [await lastingPort(), await lastingPort()];
    const config = join(path, 'varnish.vcl');
    await writeFile(config, await configOf(upstream));
    const listeners = ['-a', `127.0.0.1:${port}`, '-a', `purge=127.0.0.1:${purgePort}`];
    // Logs 4 MB of shared memory instead of 80. Without a jail it needs no users of its own.
    const frugal = ['-s', 'malloc,64m', '-p', 'vsl_space=4m', '-T', 'none', '-j', 'none'];
    const args = ['-F', '-n', join(path, 'work'), '-f', config, ...listeners, ...frugal];
    return new Varnish(port, purgePort, await ServerProgram.start('varnishd', args, port), remove);
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get purgeUrl(): string {
    return `http://127.0.0.1:${this.purgePort}/`;
  }

  async stop(): Promise<void> {
    await this.program.stop();
    await this.removeFolder();
  }
}

/** The delivered configuration, all of whose upstreams are this one. */
async function configOf(upstream: number): Promise<string> {
  const config = await readFile(VARNISH_CONFIG, 'utf8');
  const upstreams = /\.host = "catalog-\d";\n {2}\.port = "3002";/g;
  if (config.match(upstreams)?.length !== 3) throw new Error(`${VARNISH_CONFIG} has not three upstreams`);
  return config.replace(upstreams, `.host = "127.0.0.1";\n  .port = "${upstream}";`);
}
