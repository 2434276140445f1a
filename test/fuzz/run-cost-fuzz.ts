import { pngPicture } from '../support/fixtures/pictures.ts';
import { randomNumbers } from '../support/fixtures/random-numbers.ts';
import { uploadedId } from '../support/http/catalog-client.ts';
import { type Cost, costOf } from '../support/servers/process-cost.ts';
import { RunningCatalog } from '../support/servers/running-catalog.ts';
import {
  type Expected,
  expectedOfRendition,
  expectedOfUpload,
  type RenditionQuery,
  renditionQuery,
} from './cost-oracle.ts';
import { bytesOf, type CostlyPicture, costlyPicture, shownSize } from './costly-pictures.ts';

export interface CostFuzzOptions {
  readonly files: number;
  /** The same seed gives the same files and renditions. */
  readonly seed: number;
  /** The number of the first file. */
  readonly first?: number;
  /** The tolerated multiple of the bound of a cost. */
  readonly tolerance: number;
  readonly onProgress?: (done: number) => void;
}

export interface CostFuzzReport {
  /** Requests by status, such as `upload 201`. */
  readonly outcomes: ReadonlyMap<string, number>;
  readonly violations: readonly string[];
  /** The most expensive requests, relative to their bounds. */
  readonly costliest: { readonly cpu: readonly Costly[]; readonly memory: readonly Costly[] };
}

export interface Costly {
  readonly ratio: number;
  readonly what: string;
}

const MB = 1e6;
/** Pictures with too many pixels must be rejected with this text. */
const MAX_FILE_BYTES = 100 * MB;
const COSTLIEST = 5;
/** Longer than any request within its bounds takes. */
const RESPONSE_DEADLINE_MS = 120_000;

/** Uploads generated pictures one by one, requests a rendition of each, and compares status and cost with the contract. */
export async function runCostFuzz(options: CostFuzzOptions): Promise<CostFuzzReport> {
  const catalog = await RunningCatalog.start({ env: { UPLOAD_MAX_BYTES: String(MAX_FILE_BYTES) } });
  try {
    return await new CostFuzz(catalog, options).run();
  } finally {
    await catalog.stop();
  }
}

interface Outcome {
  readonly status: number;
  readonly mediaType: string | null;
  readonly body: Buffer;
}

class CostFuzz {
  private readonly outcomes = new Map<string, number>();
  private readonly violations: string[] = [];
  private cpu: readonly Costly[] = [];
  private memory: readonly Costly[] = [];

  constructor(
    private readonly catalog: RunningCatalog,
    private readonly options: CostFuzzOptions,
  ) {}

  async run(): Promise<CostFuzzReport> {
    const { files, first = 0, onProgress } = this.options;
    await this.warmUp();
    for (let number = first; number < first + files; number += 1) {
      await this.file(number);
      onProgress?.(number - first + 1);
    }
    const { outcomes, violations, cpu, memory } = this;
    return { outcomes, violations, costliest: { cpu, memory } };
  }

  /** Runs a first request, so that one-time loading is not measured. */
  private async warmUp(): Promise<void> {
    const response = await this.catalog.client().upload(new Uint8Array(await pngPicture()), 'small.png');
    await (await this.catalog.client().file(uploadedId(response), '?width=16&format=avif')).arrayBuffer();
  }

  /** Each file has its own random numbers, so that it can be repeated alone. */
  private async file(number: number): Promise<void> {
    const random = randomNumbers(this.options.seed * 1_000_003 + number);
    const made = costlyPicture(random);
    const query = renditionQuery(random);
    const name = `file ${number}: ${JSON.stringify(made)}`;
    try {
      const id = await this.upload(name, made);
      if (id === undefined) return;
      await this.rendition(name, { made, query, id });
      await this.catalog.request(`api/image/${id}`, { method: 'DELETE' });
    } catch (error) {
      this.violations.push(`${name}: ${String(error)}`);
      await this.recover();
    }
  }

  /** The id of an image for renditions. */
  private async upload(name: string, made: CostlyPicture): Promise<number | undefined> {
    const form = new FormData();
    form.append('file', new Blob([new Uint8Array(await bytesOf(made))]), 'costly');
    const expected = expectedOfUpload(made);
    const outcome = await this.measured(`upload of ${name}`, expected, async () =>
      this.catalog.request('api/upload', { method: 'POST', body: form, signal: deadline() }),
    );
    this.count(`upload ${outcome.status}`);
    if (outcome.status !== 201 || expected.status !== 201) return undefined;
    const { id, width, height } = JSON.parse(outcome.body.toString()) as Record<
      'id' | 'width' | 'height',
      number
    >;
    const shown = shownSize(made);
    if (width !== shown.width || height !== shown.height)
      this.violations.push(`upload of ${name}: recorded as ${width} × ${height}`);
    return id;
  }

  private async rendition(
    name: string,
    { made, query, id }: { made: CostlyPicture; query: RenditionQuery; id: number },
  ): Promise<void> {
    const { accept, ...parameters } = query;
    const search = new URLSearchParams(
      Object.entries(parameters).map(([key, value]): [string, string] => [key, String(value)]),
    );
    const what = `rendition ${JSON.stringify(query)} of ${name}`;
    const { status } = await this.measured(what, expectedOfRendition(made, query), async () =>
      this.catalog.request(`api/image/${id}/file?${search.toString()}`, {
        headers: { accept },
        signal: deadline(),
      }),
    );
    this.count(`rendition ${status}`);
  }

  private async measured(what: string, expected: Expected, send: () => Promise<Response>): Promise<Outcome> {
    const { result, cost } = await costOf(this.catalog.process.pid, async () => {
      const response = await send();
      const body = Buffer.from(await response.arrayBuffer());
      return { status: response.status, mediaType: response.headers.get('content-type'), body };
    });
    const problem = problemOf(result, expected);
    if (problem !== undefined) this.violations.push(`${what}: ${problem}`);
    this.compare(what, expected, cost);
    return result;
  }

  private compare(
    what: string,
    { maxCpuSeconds, maxGrowthMb }: Expected,
    { cpuSeconds, growthBytes }: Cost,
  ): void {
    const growthMb = growthBytes / MB;
    const costs = `${cpuSeconds.toFixed(2)} s of CPU (of ${maxCpuSeconds}), ${growthMb.toFixed(0)} MB (of ${maxGrowthMb})`;
    const described = `${what}: ${costs}`;
    const [cpu, memory] = [cpuSeconds / maxCpuSeconds, growthMb / maxGrowthMb];
    this.cpu = costliest([...this.cpu, { ratio: cpu, what: described }]);
    this.memory = costliest([...this.memory, { ratio: memory, what: described }]);
    if (Math.max(cpu, memory) > this.options.tolerance) this.violations.push(described);
  }

  private count(outcome: string): void {
    this.outcomes.set(outcome, (this.outcomes.get(outcome) ?? 0) + 1);
  }

  /** After a crash, or a request that does not end. */
  private async recover(): Promise<void> {
    await this.catalog.process.stop('SIGKILL');
    await this.catalog.restart();
  }
}

function deadline(): AbortSignal {
  return AbortSignal.timeout(RESPONSE_DEADLINE_MS);
}

function problemOf({ status, mediaType, body }: Outcome, expected: Expected): string | undefined {
  if (status !== expected.status) return `${status} instead of ${expected.status}: ${textOf(body)}`;
  if (expected.mediaType !== undefined && mediaType !== expected.mediaType)
    return `${mediaType} instead of ${expected.mediaType}`;
  if (expected.code === undefined) return undefined;
  const { code, message } = JSON.parse(body.toString()) as { code: string; message: string };
  const isRight = code === expected.code && message.includes(expected.names ?? '');
  return isRight ? undefined : `not ${expected.code} ${expected.names ?? ''}: ${textOf(body)}`;
}

function textOf(body: Buffer): string {
  // The bytes of a picture are not readable.
  return body[0] === 0x7b ? body.toString().slice(0, 200) : `${body.length} bytes`;
}

function costliest(requests: readonly Costly[]): readonly Costly[] {
  return requests.toSorted((a, b) => b.ratio - a.ratio).slice(0, COSTLIEST);
}
