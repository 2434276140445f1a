import type { Container } from 'inversify';
import type { Logger } from 'pino';
import type { Confinement } from '../../adapters/decoder/confinement.ts';
import type { DecoderPool } from '../../adapters/decoder/decoder-pool.ts';
import { LoopWatch } from '../../adapters/http/server/loop-watch.ts';
import type { SweepOrphans } from '../../application/maintenance/sweep-orphans.ts';
import type { CatalogTooNew } from '../../domain/errors.ts';
import type { SpaceRecords } from '../../domain/ports/records/space-records.ts';
import { COMMON_SPACE } from '../../domain/space/space.ts';
import type { Config } from '../config/config.ts';
import { createServiceContainer } from '../create-service-container.ts';
import { holesOf } from '../node-holes.ts';
import { resolveAll } from '../resolve-all.ts';
import { TOKENS } from '../tokens.ts';
import { decodeMemoryWarning } from './decode-memory-warning.ts';
import { Listeners } from './listeners.ts';
import { openTracing } from './open-tracing.ts';
import {
  hasCatalog,
  prepareStorage,
  requireDecoders,
  requireOwnBlobs,
  requiring,
} from './prepare-storage.ts';
import { startSweeper } from './start-sweeper.ts';
import { stopService } from './stop-service.ts';
import type { UnusableDependency } from './unusable-dependency.ts';
import { watchSchema } from './watch-schema.ts';
import { writableProgramFolders } from './writable-program.ts';

export interface RunningService {
  /** Resolves if this process cannot go on: no decoder starts, or a later version has migrated the catalog. */
  readonly failure: Promise<UnusableDependency | CatalogTooNew>;

  /** Lets running requests finish. */
  stop(): Promise<void>;
}

/**
 * Logs "listening" when all but the decoders is ready. The first decoder is started after that, because it costs more than all the rest.
 *
 * @throws {UnusableDependency}
 */
export async function startService(config: Config, log: Logger): Promise<RunningService> {
  const tracing = await openTracing(config, log);
  const service = createServiceContainer(config, log, tracing);
  const close = (): Promise<unknown> => Promise.all([service.unbindAllAsync(), tracing?.close()]);
  let listeners: Listeners | undefined;
  try {
    listeners = await Listeners.prepare(config, () => hasCatalog(service));
    await prepareStorage(service);
    await requireOwnBlobs(service.get(TOKENS.claimBlobStore), { dryRun: config.readOnly });
    await logProgram(log);
    logSettings(config, log);
    await warnOfHiddenImages(service.get(TOKENS.spaces), config, log);
    if (!config.readOnly) await removeUnfinishedUploads(service.get(TOKENS.sweepOrphans), log);
    await listeners.open(service);
    const background = [await startWebhooks(service)];
    listeners.announce(log);
    const sweeps = resolveAll(service, 'sweepOrphans', 'sweepBlobs');
    if (!config.readOnly) background.push(startSweeper(sweeps, config.sweep.intervalMs, log));
    // The service starts without the identity provider, which may be unavailable now. The outcome is logged.
    void service.get(TOKENS.signingKeys).warmUp();
    const schemaWatch = watchSchema(service.get(TOKENS.database).schemaGuard, service.get(TOKENS.timer));
    const { changeTail, prerenderUploads } = service.get(TOKENS.useCases);
    const running = {
      ...resolveAll(service, 'decoders', 'telemetry'),
      listeners,
      // Streams and waiting requests end at once.
      atOnce: [watchLoop(service, log), () => schemaWatch.stop(), () => changeTail.stop()],
      background: [...background, () => prerenderUploads.stop()],
      close,
    };
    return {
      failure: Promise.race([schemaWatch.outdated, decoderFailure(running.decoders, log)]),
      stop: () => stopService(running, config.shutdownGraceMs),
    };
  } catch (error) {
    listeners?.close();
    await close();
    throw error;
  }
}

/** Starts the first decoder. Resolves only if it does not start. */
async function decoderFailure(decoders: DecoderPool, log: Logger): Promise<UnusableDependency> {
  return await new Promise((resolve) => {
    requireDecoders(decoders).then((confinement) => logConfinement(confinement, log), resolve);
  });
}

function logConfinement({ isFrozen, hasOwnUser }: Confinement, log: Logger): void {
  const facts = { frozen: isFrozen, ownUser: hasOwnUser };
  if (isFrozen) log.info(facts, 'decoders started');
  else log.warn(facts, 'decoders can open files and sockets: prlimit of util-linux cannot be used');
}

export function warnOfNodeHoles(version: string, log: Pick<Logger, 'warn'>): void {
  for (const { cve, effect, upgradeTo } of holesOf(version)) {
    log.warn(
      { node: version, cve, upgradeTo },
      `this version of Node.js has a known security hole: ${effect}`,
    );
  }
}

function logSettings(config: Config, log: Logger): void {
  if (config.readOnly) return;
  if (config.scopes.delete === undefined) {
    log.warn('SCOPE_DELETE is not set: every valid token may delete every image');
  }
  if (config.publishNames && config.scopes.publish === undefined) {
    log.warn('SCOPE_PUBLISH is not set: every token that may write can show every image to everyone');
  }
  const warning = decodeMemoryWarning(config);
  if (warning !== undefined) log.warn(warning);
}

/** What is wrong with Node.js and the installed program. */
async function logProgram(log: Logger): Promise<void> {
  warnOfNodeHoles(process.version, log);
  const folders = await writableProgramFolders();
  if (folders.length === 0) return;
  // At level info: in a checkout of a developer it is usual.
  log.info({ folders }, 'the user of the service can write to its program: install it as another user');
}

/** They were uploaded when a claim named their spaces. */
async function warnOfHiddenImages(spaces: SpaceRecords, { spaceClaim }: Config, log: Logger): Promise<void> {
  if (spaceClaim !== undefined) return;
  const all = await requiring('DATABASE_URL', () => spaces.findAll());
  const hidden = all.filter(({ space, images }) => space !== COMMON_SPACE && images > 0);
  const images = hidden.reduce((sum, space) => sum + space.images, 0);
  if (images === 0) return;
  const facts = { spaces: hidden.length, images };
  log.warn(facts, 'SPACE_CLAIM is not set: images of other spaces than the common one are hidden');
}

async function removeUnfinishedUploads(sweepOrphans: SweepOrphans, log: Logger): Promise<void> {
  const leftovers = await sweepOrphans.sweepStaging();
  if (leftovers > 0) log.info({ leftovers }, 'unfinished uploads removed');
}

/**
 * Every change from now on is delivered. Resolves to what ends it, when running tries have ended and the leases are given up. That
 * never rejects.
 *
 * @throws {UnusableDependency}
 */
async function startWebhooks(service: Container): Promise<() => Promise<void>> {
  const senders = service.get(TOKENS.webhookSenders);
  if (senders.length > 0) {
    await requiring('DATABASE_URL', () =>
      service.get(TOKENS.webhookEndpoints).register(senders.map(({ url }) => url)),
    );
  }
  const ended = Promise.all(senders.map((sender) => sender.execute()));
  return async () => {
    for (const sender of senders) sender.stop();
    await ended;
  };
}

function watchLoop(service: Container, log: Logger): () => void {
  const now = (): number => performance.now();
  const { timer, telemetry } = resolveAll(service, 'timer', 'telemetry');
  return LoopWatch.start({ timer, now, requests: telemetry.underWay, log });
}
