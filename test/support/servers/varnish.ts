import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';
import { eventually } from '../time/eventually.ts';
import { accepts } from './accepts.ts';
import { endProcess } from './end-process.ts';
import { lastingPort } from './lasting-port.ts';
import { PROJECT_FOLDER } from './service-process.ts';

const VARNISH_CONFIG = join(PROJECT_FOLDER, 'deploy/varnish.vcl');

/** Prints the reason on stderr if it is not available: a skipped test must say why. */
export function isVarnishInstalled(): boolean {
  const isInstalled = spawnSync('varnishd', ['-V']).status === 0;
  if (!isInstalled) console.error('      varnish is not installed: what needs it is skipped');
  return isInstalled;
}

/** Varnish with the configuration of `deploy/`, on free loopback ports. */
export class Varnish {
  private constructor(
    readonly port: number,
    /** Of the listener for purges. */
    readonly purgePort: number,
    private readonly process: ChildProcess,
    private readonly removeFolder: () => Promise<void>,
  ) {}

  /** @param upstream port of a web listener */
  static async start(upstream: number): Promise<Varnish> {
    const folder = await temporaryFolder();
    const [port, purgePort] = [await lastingPort(), await lastingPort()];
    const config = join(folder.path, 'varnish.vcl');
    await writeFile(config, await configOf(upstream));
    const listeners = ['-a', `127.0.0.1:${port}`, '-a', `purge=127.0.0.1:${purgePort}`];
    // Logs 4 MB of shared memory instead of 80. Without a jail it needs no users of its own.
    const frugal = ['-s', 'malloc,64m', '-p', 'vsl_space=4m', '-T', 'none', '-j', 'none'];
    const child = spawn(
      'varnishd',
      ['-F', '-n', join(folder.path, 'work'), '-f', config, ...listeners, ...frugal],
      {
        stdio: ['ignore', 'ignore', 'pipe'],
      },
    );
    let errors = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors += text;
    });
    // The manager ends its child.
    const endWithUs = (): void => void child.kill('SIGTERM');
    process.once('exit', endWithUs);
    child.once('exit', () => process.off('exit', endWithUs));
    const varnish = new Varnish(port, purgePort, child, folder.remove);
    // It compiles its configuration first.
    const isUp = await eventually(
      () => accepts(port),
      (accepted) => accepted || child.exitCode !== null,
    );
    if (isUp) return varnish;
    await varnish.stop();
    throw new Error(`Varnish does not listen:\n${errors}`);
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get purgeUrl(): string {
    return `http://127.0.0.1:${this.purgePort}/`;
  }

  async stop(): Promise<void> {
    await endProcess(this.process);
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
