import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Container } from 'inversify';
import type Koa from 'koa';
import type { Logger } from 'pino';
import { createServer } from '../adapters/http/create-server.ts';
import { SigningKeys } from '../adapters/http/signing-keys.ts';
import { SweepOrphans } from '../application/maintenance/sweep-orphans.ts';
import type { Config } from './config.ts';
import { createContainer } from './container.ts';
import { claimBlobStore, prepareStorage, UnusableDependency } from './prepare-storage.ts';
import { type Sweeper, startSweeper } from './start-sweeper.ts';
import { stopGracefully } from './stop-gracefully.ts';
import { TOKENS } from './tokens.ts';

export interface RunningService {
  /** Lets running requests finish, then closes everything. */
  stop(): Promise<void>;
}

/**
 * Brings the service up: storage, then the listeners. It logs "listening" once it answers.
 *
 * @throws {UnusableDependency}
 */
export async function startService(config: Config, log: Logger): Promise<RunningService> {
  const container = createContainer(config, log);
  try {
    await prepareStorage(container);
    await claimBlobStore(container, { dryRun: config.readOnly });
    if (config.readOnly) log.info('read-only: uploads and deletes are refused, and nothing is swept');
    else await removeUnfinishedUploads(container);
    if (!config.readOnly && config.scopes.delete === undefined) {
      log.warn('SCOPE_DELETE is not set: every valid token may delete every image');
    }
    const work = new WorkUnderWay();
    const servers = await startListeners(container, work);
    const sweeper = config.readOnly
      ? undefined
      : startSweeper(container.get(SweepOrphans), config.sweep.intervalMs, log);
    // The first request need not wait for the provider; that it is away now is logged, and no reason not to start.
    void container.get(SigningKeys).warmUp();
    return { stop: () => stop({ servers, sweeper, work }, container) };
  } catch (error) {
    await container.unbindAllAsync();
    throw error;
  }
}

async function removeUnfinishedUploads(container: Container): Promise<void> {
  const leftovers = await container.get(SweepOrphans).sweepStaging();
  if (leftovers > 0) container.get(TOKENS.log).info({ leftovers }, 'unfinished uploads removed');
}

/** Time after the grace for requests whose connections were cut, to undo what they had begun. */
const LAST_WORK_MS = 2_000;

/** The requests that are worked on. Their clients may have left. */
class WorkUnderWay {
  private readonly running = new Set<Promise<void>>();

  add(request: Promise<void>): void {
    const running = request.finally(() => this.running.delete(running));
    this.running.add(running);
  }

  async end(): Promise<void> {
    await Promise.all(this.running);
  }
}

async function startListeners(container: Container, work: WorkUnderWay): Promise<readonly Server[]> {
  const { management, listener } = container.get(TOKENS.config);
  const servers: Server[] = [];
  if (management !== undefined) {
    const app = container.get(TOKENS.managementApp);
    const named = { variable: 'MANAGEMENT_PORT', message: 'management listening' };
    servers.push(await listen({ app, ...management, ...named }, container, work));
  }
  const app = container.get(TOKENS.app);
  servers.push(await listen({ app, ...listener, variable: 'PORT', message: 'listening' }, container, work));
  return servers;
}

interface Listener {
  readonly app: Koa;
  readonly host: string;
  readonly port: number;
  /** Named where the port cannot be had. */
  readonly variable: string;
  /** Logged once it answers. */
  readonly message: string;
}

async function listen(
  { app, host, port, variable, message }: Listener,
  container: Container,
  work: WorkUnderWay,
): Promise<Server> {
  const { requestTimeoutMs } = container.get(TOKENS.config);
  const handle = app.callback();
  const server = createServer((request, response) => work.add(handle(request, response)), {
    requestTimeoutMs,
    uuids: container.get(TOKENS.uuids),
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) => reject(new UnusableDependency(variable, { cause })));
    server.listen(port, host, resolve);
  });
  const address = server.address() as AddressInfo;
  container.get(TOKENS.log).info({ host: address.address, port: address.port }, message);
  return server;
}

interface Parts {
  readonly servers: readonly Server[];
  /** None where the catalog is read-only. */
  readonly sweeper: Sweeper | undefined;
  readonly work: WorkUnderWay;
}

/**
 * Closes the storage last: requests that were cut off remove what they have stored. A request that outlasts the grace by
 * `LAST_WORK_MS` is not waited for.
 */
async function stop({ servers, sweeper, work }: Parts, container: Container): Promise<void> {
  const { shutdownGraceMs } = container.get(TOKENS.config);
  const stopped = new AbortController();
  const deadline = delay(shutdownGraceMs + LAST_WORK_MS, undefined, { signal: stopped.signal }).catch(
    () => undefined,
  );
  const swept = sweeper?.stop();
  await Promise.all(servers.map((server) => stopGracefully(server, shutdownGraceMs)));
  await Promise.race([Promise.all([work.end(), swept]), deadline]);
  stopped.abort();
  await container.unbindAllAsync();
}
