import type { CatalogProcess } from './catalog-process.ts';
import { FULL, LIMITS } from './ledger.ts';
import { fillFolder } from './operations/imports.ts';
import { OPERATIONS } from './operations/operations.ts';
import { WEBHOOK_URL } from './operations/webhooks.ts';
import type { Injected } from './port-calls.ts';
import { checkAlways, checkAtRest } from './rules.ts';
import type { Operation, Schedule } from './schedule.ts';
import { SimulatedCatalog } from './simulated-catalog.ts';

export interface Run {
  /** How the contract was broken. */
  readonly failure: Error | undefined;
  /** Of the order of all steps. */
  readonly interleaving: number;
  readonly steps: number;
  readonly requests: number;
  readonly injected: readonly Injected[];
  readonly trace: readonly string[];
  /** Of the last attempt of a client that ended. */
  readonly lastOutcome: string | undefined;
}

/** Runs a schedule to its end and checks all rules. The same schedule gives the same run. */
export async function simulate(
  schedule: Schedule,
  { keepsTrace = false }: { readonly keepsTrace?: boolean } = {},
): Promise<Run> {
  const catalog = new SimulatedCatalog(schedule, keepsTrace);
  const { scheduler, calls } = catalog;
  const failure = await failureOf(catalog);
  const { lastOutcome } = catalog;
  const { hash: interleaving, steps, requests, trace } = scheduler;
  return { failure, interleaving, steps, requests, injected: calls.injected, trace, lastOutcome };
}

async function failureOf(catalog: SimulatedCatalog): Promise<Error | undefined> {
  try {
    await catalog.storage.blobs.claim(await catalog.storage.identity.establish());
    await catalog.storage.webhookEndpoints.register([WEBHOOK_URL]);
    await catalog.storage.spaces.setLimits(FULL, LIMITS);
    fillFolder(catalog);
    await catalog.scheduler.run(async () => {
      await workOf(catalog);
      await stop(catalog);
    });
    await checkAtRest(catalog);
    return undefined;
  } catch (error) {
    return error as Error;
  }
}

async function workOf(catalog: SimulatedCatalog): Promise<void> {
  const { operations } = catalog.schedule;
  const clients = [...new Set(operations.map(({ client }) => client))];
  await Promise.all(
    clients.map((client) =>
      runInOrder(
        catalog,
        operations.filter((one) => one.client === client),
      ),
    ),
  );
}

async function runInOrder(catalog: SimulatedCatalog, operations: readonly Operation[]): Promise<void> {
  for (const operation of operations) {
    await catalog.scheduler.reach(undefined, `client ${operation.client} ${operation.kind}`);
    await OPERATIONS.get(operation.kind)?.run(catalog, operation);
    checkAlways(catalog);
  }
}

/** If there were faults, some processes do not end in peace. */
async function stop(catalog: SimulatedCatalog): Promise<void> {
  for (const process of catalog.running) {
    const isKilled = catalog.calls.injected.length > 0 && catalog.random.chance(0.5);
    if (isKilled) catalog.hasKilled = true;
    else await endInPeace(catalog, process);
    catalog.end(process.owner);
  }
}

/** Renditions whose clients have left are looked at once more when they are in the cache. */
async function endInPeace({ scheduler }: SimulatedCatalog, process: CatalogProcess): Promise<void> {
  await process.prerenderUploads.stop();
  while (process.openRendition.underWay > 0 && !process.owner.isGone) {
    await scheduler.reach(undefined, `${process.owner.name} finishes its renditions`, true);
  }
}
