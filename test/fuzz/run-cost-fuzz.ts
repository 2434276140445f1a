import { INPUT_FORMATS, type InputFormat } from '../../src/domain/image/media-type.ts';
import type { CostBounds } from '../support/fixtures/costly-files.ts';
import { jpegPicture, pngPicture } from '../support/fixtures/pictures.ts';
import { randomNumbers } from '../support/fixtures/random-numbers.ts';
import { CatalogClient, type ImageRecord, uploadedId } from '../support/http/catalog-client.ts';
import { type Cost, costOf, type ProcessCost } from '../support/servers/process-cost.ts';
import { RunningCatalog } from '../support/servers/running-catalog.ts';
import { hangGuard } from '../support/time/hang-guard.ts';
import {
  EXPECTED_OF_MUTATED_RENDITION,
  type Expected,
  expectedOfAnimation,
  expectedOfMutated,
  expectedOfRendition,
  expectedOfUpload,
  originalFormat,
  type RenditionQuery,
  renditionQuery,
} from './cost-oracle.ts';
import { bytesOf, type CostlyPicture, costlyPicture, shownSize } from './costly-pictures.ts';
import { bytesOfAnimation, type CostlyAnimation, costlyAnimation } from './kinds/costly-animations.ts';
import { type MutatedFile, mutatedFile } from './mutated-files.ts';
import { anyOf, type Random } from './random-choices.ts';

export interface CostFuzzOptions {
  readonly files: number;
  /** The same seed gives the same files and renditions. */
  readonly seed: number;
  /** The number of the first file. */
  readonly first?: number;
  /** Of the files; all by default. */
  readonly formats?: readonly InputFormat[] | undefined;
  /** The tolerated multiple of the bound of a cost. */
  readonly tolerance: number;
  readonly onProgress?: (done: number) => void;
}

export interface CostFuzzReport {
  /** Requests by status, such as `upload 201`. */
  readonly outcomes: ReadonlyMap<string, number>;
  /** Statuses and costs that differ from the contract. */
  readonly problems: readonly string[];
  /** The most expensive requests, relative to their bounds. */
  readonly costliest: { readonly cpu: readonly Costly[]; readonly memory: readonly Costly[] };
  /** Of the uploads of another subject. */
  readonly slowestNeighbourMs: number;
}

interface Costly {
  readonly ratio: number;
  readonly what: string;
}

const MB = 1e6;
/** Pictures with too many pixels must be rejected with this text. */
const MAX_FILE_BYTES = 100 * MB;
const COSTLIEST = 5;
const WARM_UPS = 5;

/**
 * Uploads generated files one by one, each beside a small photo of another subject, requests a rendition of each, and compares
 * status and cost with the contract.
 */
export async function runCostFuzz(options: CostFuzzOptions): Promise<CostFuzzReport> {
  const catalog = await RunningCatalog.start({
    env: { UPLOAD_MAX_BYTES: String(MAX_FILE_BYTES), INPUT_FORMATS: 'jpeg,png,webp,gif' },
  });
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

/** What is uploaded, and what the contract says of it. */
interface Case {
  readonly name: string;
  readonly bytes: Buffer;
  readonly upload: Expected;
  readonly rendition: (query: RenditionQuery) => Expected;
  /** The displayed size, if it is certain. */
  readonly size?: { readonly width: number; readonly height: number };
}

class CostFuzz {
  private readonly outcomes = new Map<string, number>();
  private readonly problems: string[] = [];
  private cpu: readonly Costly[] = [];
  private memory: readonly Costly[] = [];
  private slowestNeighbourMs = 0;
  private photo: Uint8Array<ArrayBuffer> = new Uint8Array();

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
    const { outcomes, problems, cpu, memory, slowestNeighbourMs } = this;
    return { outcomes, problems, costliest: { cpu, memory }, slowestNeighbourMs };
  }

  /** Runs first requests, so that one-time loading is not measured. */
  private async warmUp(): Promise<void> {
    this.photo = new Uint8Array(await jpegPicture(640, 480));
    const response = await this.catalog.client().upload(new Uint8Array(await pngPicture()), 'small.png');
    await (await this.catalog.client().file(uploadedId(response), '?width=16&format=avif')).arrayBuffer();
    for (let turn = 0; turn < WARM_UPS; turn += 1) await this.neighbour();
  }

  /** Each file has its own random numbers, so that it can be repeated alone. */
  private async file(number: number): Promise<void> {
    const random = randomNumbers(this.options.seed * 1_000_003 + number);
    const made = await anyCase(number, anyOf(this.options.formats ?? INPUT_FORMATS, random), random);
    const query = renditionQuery(random);
    try {
      const id = await this.upload(made);
      if (id === undefined) return;
      await this.rendition(made, query, id);
      await this.catalog.request(`api/image/${id}`, { method: 'DELETE' });
    } catch (error) {
      this.problems.push(`${made.name}: ${String(error)}`);
      await this.recover();
    }
  }

  /** The id of an image for renditions. */
  private async upload({ name, bytes, upload: expected, size }: Case): Promise<number | undefined> {
    const form = new FormData();
    form.append('file', new Blob([new Uint8Array(bytes)]), 'costly');
    const outcome = await this.measured(`upload of ${name}`, expected, bytes.length, async () => {
      const sent = this.catalog.request('api/upload', { method: 'POST', body: form, signal: hangGuard() });
      const [received] = await Promise.all([sent.then(receivedFrom), this.neighbour()]);
      return received;
    });
    this.count(`upload ${outcome.status}`);
    if (outcome.status !== 201) return undefined;
    const { id, width, height } = JSON.parse(outcome.body.toString()) as ImageRecord;
    if (size !== undefined && (width !== size.width || height !== size.height)) {
      this.problems.push(`upload of ${name}: recorded as ${width} × ${height}`);
    }
    return id;
  }

  /** Another subject uploads and deletes a small photo. */
  private async neighbour(): Promise<void> {
    const client = new CatalogClient(this.catalog.url, this.catalog.token({ sub: 'neighbour' }));
    const start = performance.now();
    const response = await client.upload(this.photo, 'photo.jpg');
    const ms = performance.now() - start;
    this.slowestNeighbourMs = Math.max(this.slowestNeighbourMs, ms);
    if (response.status !== 201) this.problems.push(`the upload beside it: ${response.status}`);
    if (response.status === 201) await client.delete(uploadedId(response));
  }

  private async rendition(
    { name, bytes, rendition }: Case,
    query: RenditionQuery,
    id: number,
  ): Promise<void> {
    const { accept, ...parameters } = query;
    const search = new URLSearchParams(
      Object.entries(parameters).map(([key, value]): [string, string] => [key, String(value)]),
    );
    const what = `rendition ${JSON.stringify(query)} of ${name}`;
    const { status } = await this.measured(what, rendition(query), bytes.length, async () =>
      receivedFrom(
        await this.catalog.request(`api/image/${id}/file?${search.toString()}`, {
          headers: { accept },
          signal: hangGuard(),
        }),
      ),
    );
    this.count(`rendition ${status}`);
  }

  private async measured(
    what: string,
    expected: Expected,
    fileBytes: number,
    send: () => Promise<Outcome>,
  ): Promise<Outcome> {
    const { result, cost } = await costOf(this.catalog.process.pid, send);
    const problem = problemOf(result, expected);
    if (problem !== undefined) this.problems.push(`${what}: ${problem}`);
    // The service holds both for a while: noise as PNG can be longer than the file.
    const heldBytes = fileBytes + result.body.length;
    for (const comparison of comparisonsOf(cost, expected, heldBytes)) this.compare(what, comparison);
    return result;
  }

  private compare(what: string, { who, used, bounds }: Comparison): void {
    const growthMb = used.growthBytes / MB;
    const [cpu, memory] = [used.cpuSeconds / bounds.maxCpuSeconds, growthMb / bounds.maxGrowthMb];
    const cpuText = `${used.cpuSeconds.toFixed(2)} s of CPU (of ${bounds.maxCpuSeconds.toFixed(1)})`;
    const memoryText = `${growthMb.toFixed(0)} MB (of ${bounds.maxGrowthMb.toFixed(0)})`;
    const described = `${who}, ${what}: ${cpuText}, ${memoryText}`;
    this.cpu = costliest([...this.cpu, { ratio: cpu, what: described }]);
    this.memory = costliest([...this.memory, { ratio: memory, what: described }]);
    if (Math.max(cpu, memory) > this.options.tolerance) this.problems.push(described);
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

async function anyCase(number: number, format: InputFormat, random: Random): Promise<Case> {
  if (random() < 0.5) return await mutatedCase(number, mutatedFile(format, random));
  return format === 'webp' || format === 'gif'
    ? await animationCase(number, costlyAnimation(format, random))
    : await pictureCase(number, costlyPicture(format, random));
}

async function mutatedCase(number: number, file: MutatedFile): Promise<Case> {
  const { format, kind, texts, bytes } = file;
  return {
    name: `file ${number}: ${JSON.stringify({ format, kind, texts, bytes: bytes.length })}`,
    bytes,
    upload: await expectedOfMutated(file),
    rendition: () => EXPECTED_OF_MUTATED_RENDITION,
  };
}

async function animationCase(number: number, made: CostlyAnimation): Promise<Case> {
  const bytes = await bytesOfAnimation(made);
  return costlyCase(number, made, bytes, expectedOfAnimation(made, bytes), made.picture);
}

async function pictureCase(number: number, made: CostlyPicture): Promise<Case> {
  return costlyCase(number, made, await bytesOf(made), expectedOfUpload(made), shownSize(made));
}

function costlyCase(
  number: number,
  made: CostlyPicture | CostlyAnimation,
  bytes: Buffer,
  upload: Expected,
  { width, height }: Required<Case>['size'],
): Case {
  return {
    name: `file ${number}: ${JSON.stringify(made)}`,
    bytes,
    upload,
    rendition: (query) => expectedOfRendition({ width, height }, originalFormat(made), query),
    size: { width, height },
  };
}

async function receivedFrom(response: Response): Promise<Outcome> {
  const body = Buffer.from(await response.arrayBuffer());
  return { status: response.status, mediaType: response.headers.get('content-type'), body };
}

const CODES: Readonly<Record<number, string>> = {
  400: 'invalid_request',
  415: 'unsupported_media_type',
  422: 'invalid_image',
};

function problemOf({ status, mediaType, body }: Outcome, expected: Expected): string | undefined {
  if (!expected.statuses.includes(status)) {
    return `${status} instead of ${expected.statuses.join(' or ')}: ${textOf(body)}`;
  }
  if (status < 400) {
    const isRight = expected.mediaType === undefined || mediaType === expected.mediaType;
    return isRight ? undefined : `${mediaType} instead of ${expected.mediaType}`;
  }
  const { code, message } = JSON.parse(body.toString()) as { code: string; message: string };
  const isRight = code === CODES[status] && message.includes(expected.names ?? '');
  return isRight ? undefined : `not ${CODES[status]} ${expected.names ?? ''}: ${textOf(body)}`;
}

interface Comparison {
  readonly who: string;
  readonly used: ProcessCost;
  readonly bounds: CostBounds;
}

/** A decoder is ended when its excess is seen: at most this much later. */
const LATE_CPU_SECONDS = 1;
const LATE_MB = 100;
const SERVICE_MB = 50;

/** If the service decodes in its own process, the bounds of a decoder are those of the whole. */
function comparisonsOf(cost: Cost, expected: Expected, heldBytes: number): readonly Comparison[] {
  const { maxCpuSeconds, maxGrowthMb, isRefusedEarly } = expected;
  if (cost.descendants === 0 || isRefusedEarly) return [{ who: 'service', used: cost, bounds: expected }];
  const service = { maxCpuSeconds: Number.POSITIVE_INFINITY, maxGrowthMb: SERVICE_MB + heldBytes / MB };
  const late = { maxCpuSeconds: maxCpuSeconds + LATE_CPU_SECONDS, maxGrowthMb: maxGrowthMb + LATE_MB };
  return [
    { who: 'service', used: cost.own, bounds: service },
    { who: 'decoder', used: cost.descendant, bounds: late },
  ];
}

function textOf(body: Buffer): string {
  // The bytes of a picture are not readable.
  return body[0] === 0x7b ? body.toString().slice(0, 200) : `${body.length} bytes`;
}

function costliest(requests: readonly Costly[]): readonly Costly[] {
  return requests.toSorted((a, b) => b.ratio - a.ratio).slice(0, COSTLIEST);
}
