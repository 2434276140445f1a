import { Agent, type Dispatcher, request as send } from 'undici';
import { randomNumbers } from '../../support/fixtures/random-numbers.ts';
import { untilNextLook } from '../../support/time/until-next-look.ts';
import { type MeasuredRequest, summaryOf } from './cost-table.ts';
import type { HostileCatalogs } from './hostile-catalogs.ts';
import { get, type HostileRequest, type SentRequest } from './hostile-request.ts';
import { HOSTILE_REQUESTS } from './hostile-requests.ts';
import { anyKind } from './hostile-texts.ts';
import { REFERENCE_WORK_MS } from './known-work.ts';
import { type Figures, MeasuredService } from './measured-service.ts';
import { operationIds } from './operation-ids.ts';
import { withVariants } from './request-variants.ts';
import { REQUESTS_OF_LISTENERS } from './requests-of-listeners.ts';

/** The limits of a request. */
const MAX_TURN_MS = 100;
const MAX_LOGGED_BYTES = 64 * 1024;
/** A turn may contain what a process does once: a measurement above the limit is repeated. */
const REPETITIONS = 2;
/** Sent at a time by one subject while others wait. */
const PARALLEL = 4;
const ORDINARY_REQUESTS = 20;
/** Responses in flight may be long: the client of a test is no reader that stalls. */
const CLIENT_TIMEOUT_MS = 300_000;

const NEIGHBOUR = { space: 'neighbour' } as const;

/** Operations and routes that GET asks for. */
const READS: ReadonlySet<string> = new Set([
  ...operationIds('get'),
  ...Object.keys(REQUESTS_OF_LISTENERS).filter((name) => name !== 'web:/u/:ticket'),
]);

export interface CostOfRequestsOptions {
  /** Each is measured alone, and beside ordinary ones. Fewer than the generator has: a choice by the seed. */
  readonly requests: number;
  readonly seed: number;
  /** Of the largest spaces. */
  readonly images: number;
  /** By default, all. */
  readonly only?: string | undefined;
  readonly onProgress?: (done: number) => void;
}

export interface CostOfRequestsReport {
  readonly measured: readonly MeasuredRequest[];
  readonly problems: readonly string[];
  readonly summary: string;
  /** How many times slower this machine is than that for which the limit of a turn is stated; at least 1. */
  readonly slowness: number;
}

/** Operations of the document without a request, and requests without an operation; by default of the API. */
export function unknownOperations(
  operations: readonly string[],
  requests: Readonly<Record<string, readonly HostileRequest[]>> = HOSTILE_REQUESTS,
): readonly string[] {
  const known = Object.keys(requests);
  return [
    ...operations.filter((id) => !known.includes(id)),
    ...known.filter((id) => !operations.includes(id)),
  ];
}

/** Sends the largest requests of each operation, and measures what they cost the service and other clients. Needs Linux. */
export async function runCostOfRequests(options: CostOfRequestsOptions): Promise<CostOfRequestsReport> {
  const service = await MeasuredService.start(options.images);
  const ofWeb = Object.fromEntries(
    Object.entries(REQUESTS_OF_LISTENERS).filter(([name]) => name.startsWith('web:')),
  );
  const unknown = [
    ...unknownOperations(operationIds()),
    ...unknownOperations(service.started.webRoutes, ofWeb),
  ].map((id) => `${id} is not known to the generator`);
  const run = new CostOfRequests(service, options);
  try {
    await run.warmUp();
    const measured = await run.all();
    return {
      measured,
      problems: [...unknown, ...run.violations],
      summary: summaryOf(measured),
      slowness: run.slowness,
    };
  } finally {
    await run.close();
    await service.stop();
  }
}

interface Received {
  readonly status: number;
  readonly waitedMs: number;
}

interface Case {
  readonly operationId: string;
  readonly request: HostileRequest;
}

class CostOfRequests {
  readonly violations: string[] = [];
  readonly slowness: number;
  /** An attacker has connections of its own. */
  readonly #hostile = agent();
  readonly #ordinary = agent();
  readonly #random: () => number;
  readonly #catalogs: HostileCatalogs;
  #serial = 1;

  constructor(
    private readonly service: MeasuredService,
    private readonly options: CostOfRequestsOptions,
  ) {
    this.#random = randomNumbers(options.seed);
    this.#catalogs = service.started.catalogs;
    this.slowness = Math.max(1, service.started.knownWorkMs / REFERENCE_WORK_MS);
  }

  /** Ordinary requests, so that what a process loads once is not measured. */
  async warmUp(): Promise<void> {
    for (const request of this.#ordinaryRequests()) await this.#send(this.#ordinary, NEIGHBOUR, request);
    // Later requests for the same clean original get the cached one.
    const { signedPaths } = this.service.started;
    await this.#send(this.#ordinary, { ...NEIGHBOUR, listener: 'web' }, get(signedPaths.clean));
  }

  async all(): Promise<readonly MeasuredRequest[]> {
    const measured: MeasuredRequest[] = [];
    const cases = this.#cases();
    while (measured.length < this.options.requests && cases.length > 0) {
      const one = cases[measured.length % cases.length] as Case;
      const figures = await this.#measure(one);
      measured.push(figures);
      this.options.onProgress?.(measured.length);
    }
    return measured;
  }

  async close(): Promise<void> {
    await Promise.all([this.#hostile.destroy(), this.#ordinary.destroy()]);
  }

  /** In any order: the first of a few requests are those of many operations. */
  #cases(): readonly Case[] {
    const { only } = this.options;
    return Object.entries({ ...HOSTILE_REQUESTS, ...REQUESTS_OF_LISTENERS })
      .filter(([operationId]) => only === undefined || only === operationId)
      .flatMap(([operationId, requests]) =>
        (READS.has(operationId) ? requests.flatMap(withVariants) : requests).map((request) => ({
          case: { operationId, request },
          rank: this.#random(),
        })),
      )
      .toSorted((a, b) => a.rank - b.rank)
      .map((ranked) => ranked.case);
  }

  async #measure({ operationId, request }: Case): Promise<MeasuredRequest> {
    const text = anyKind(this.#random);
    const make = (): SentRequest =>
      request.make({
        catalogs: this.#catalogs,
        signedPaths: this.service.started.signedPaths,
        text,
        random: this.#random,
        serial: this.#serial++,
      });
    const alone = await this.#alone(request, make);
    const { others, status } = await this.#besideOthers(request, make);
    const what = `${request.what} (${text.name})`;
    const measured: MeasuredRequest = {
      ...alone.figures,
      operationId,
      what,
      status: Math.max(alone.status, status),
      longestWaitMs: Math.max(...others.map(({ waitedMs }) => waitedMs)),
    };
    this.#judge(measured, others);
    return measured;
  }

  async #alone(
    request: HostileRequest,
    make: () => SentRequest,
  ): Promise<{ readonly status: number; readonly figures: Figures }> {
    let [best, status] = [await this.#once(request, make), 0];
    for (let turn = 0; turn < REPETITIONS && best.figures.longestTurnMs > this.#maxTurnMs; turn += 1) {
      status = Math.max(status, best.result.status);
      const next = await this.#once(request, make);
      if (next.figures.longestTurnMs < best.figures.longestTurnMs) best = next;
    }
    return { status: Math.max(status, best.result.status), figures: best.figures };
  }

  async #once(
    request: HostileRequest,
    make: () => SentRequest,
  ): Promise<{ readonly result: Received; readonly figures: Figures }> {
    const made = make();
    return await this.service.measure(() => this.#send(this.#hostile, request, made));
  }

  get #maxTurnMs(): number {
    return MAX_TURN_MS * this.slowness;
  }

  /** Others send until the hostile ones have ended, and some at least. */
  async #besideOthers(
    request: HostileRequest,
    make: () => SentRequest,
  ): Promise<{ readonly status: number; readonly others: readonly Received[] }> {
    const hostile = Array.from({ length: PARALLEL }, () => this.#send(this.#hostile, request, make()));
    const over = new AbortController();
    const ended = Promise.all(hostile).finally(() => over.abort());
    const [received, others] = await Promise.all([ended, this.#sendOthers(over.signal)]);
    return { status: Math.max(...received.map(({ status }) => status)), others };
  }

  async #sendOthers(over: AbortSignal): Promise<readonly Received[]> {
    const ordinary = this.#ordinaryRequests();
    const received: Received[] = [];
    while (received.length < ORDINARY_REQUESTS || !over.aborted) {
      if (received.length >= ORDINARY_REQUESTS) await untilNextLook();
      const request = ordinary[received.length % ordinary.length] as SentRequest;
      received.push(await this.#send(this.#ordinary, NEIGHBOUR, request));
    }
    return received;
  }

  /** None of them is a search. */
  #ordinaryRequests(): readonly SentRequest[] {
    const { firstId } = this.#catalogs.neighbour;
    return [
      get(`/api/image/${firstId}`),
      get('/api/images', { limit: 20 }),
      get(`/api/image/${firstId}/metadata`),
      get('/api/changes', { limit: 10, after: 'latest' }),
      get(`/api/names/planted-${firstId}-1`),
      get(`/api/image/${firstId}/file`),
      get('/api/names', { limit: 20 }),
      get('/api/trash', { limit: 20 }),
      get('/api/usage'),
      get('/'),
    ];
  }

  async #send(
    dispatcher: Dispatcher,
    { space, listener = 'api', untilBytes = Number.POSITIVE_INFINITY }: Omit<HostileRequest, 'what' | 'make'>,
    { method, path, headers, body }: SentRequest,
  ): Promise<Received> {
    const { urls, tokens } = this.service.started;
    const authorization = listener === 'api' ? { authorization: `Bearer ${tokens[space]}` } : {};
    const begun = performance.now();
    const response = await send(urls[listener] + path, {
      dispatcher,
      method,
      headers: { ...authorization, ...headers },
      body: body ?? null,
    });
    let bytes = 0;
    for await (const chunk of response.body as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes >= untilBytes) break;
    }
    return { status: response.statusCode, waitedMs: performance.now() - begun };
  }

  #judge({ operationId, what, ...figures }: MeasuredRequest, others: readonly Received[]): void {
    const { status, errors, bytesLogged, longestTurnMs } = figures;
    const violate = (violation: string): void => {
      this.violations.push(`${operationId}, ${what}: ${violation}`);
    };
    if (status >= 500 && status !== 503) violate(`returns ${status}`);
    if (errors.length > 0) violate(`logs ${errors[0]}`);
    if (bytesLogged > MAX_LOGGED_BYTES) violate(`logs ${bytesLogged} bytes`);
    if (longestTurnMs > this.#maxTurnMs) {
      violate(`a turn of ${longestTurnMs.toFixed(0)} ms, ${this.#maxTurnMs.toFixed(0)} at most`);
    }
    const refused = others.filter((other) => other.status !== 200).map((other) => other.status);
    if (refused.length > 0) violate(`others get ${[...new Set(refused)].join(', ')}`);
  }
}

function agent(): Agent {
  return new Agent({
    connections: PARALLEL,
    headersTimeout: CLIENT_TIMEOUT_MS,
    bodyTimeout: CLIENT_TIMEOUT_MS,
  });
}
