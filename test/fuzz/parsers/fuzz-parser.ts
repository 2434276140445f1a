import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { randomNumbers } from '../../support/fixtures/random-numbers.ts';
import { settled } from '../../support/time/gate.ts';
import { adopt, type BlockCoverage, hasNews } from './block-coverage.ts';
import { toBase64 } from './corpus-files.ts';
import { mutate } from './mutate.ts';
import { shrink } from './shrink.ts';
import type { ParserTarget } from './targets/parser-target.ts';

export interface FuzzPlan {
  readonly target: string;
  readonly seed: number;
  readonly executions: number;
  readonly seconds: number;
}

export interface FuzzReport {
  readonly executions: number;
  readonly seconds: number;
  /** The part of the code of functions that has run, from 0 to 1. */
  readonly share: number;
  /** Each adds coverage; the smallest come first. */
  readonly corpus: readonly Uint8Array[];
  readonly heapGrowthBytes: number;
  readonly finding: Finding | undefined;
}

export interface Finding {
  readonly fact: string;
  /** Base64, made as short as possible. */
  readonly input: string;
}

/** Taking the coverage costs as much as some dozens of executions. */
const BATCH = 256;
/** CPU time that no input may need three times running. */
const SLOW_MS = 50;
/** Blocks of the sources that a short input, and each byte of a longer one, may run. */
const BASE_WORK = 50_000;
const WORK_PER_BYTE = 500;
const MAX_HEAP_GROWTH_BYTES = 16 * 1024 * 1024;

class Failure extends Error {
  constructor(
    readonly fact: string,
    readonly input: Uint8Array,
  ) {
    super(fact);
  }
}

/** Mutates inputs, keeps those that reach new code, and ends at the first broken guarantee. */
export class ParserFuzzer {
  readonly #corpus: Uint8Array[] = [];
  #executions = 0;

  constructor(
    private readonly target: ParserTarget,
    private readonly coverage: BlockCoverage,
    private readonly announce: (input: Uint8Array) => void,
  ) {}

  async run(plan: FuzzPlan, known: readonly Uint8Array[]): Promise<FuzzReport> {
    const start = performance.now();
    const elapsed = (): number => (performance.now() - start) / 1000;
    try {
      for (const input of [...known, ...this.target.seeds.map(bytesOf)]) await this.#keepIfNew([input]);
      if (this.#corpus.length === 0) this.#corpus.push(new Uint8Array());
      const heapGrowthBytes = await this.#search(plan, elapsed);
      return { ...this.#report(elapsed()), corpus: await this.#minimised(), heapGrowthBytes };
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return { ...this.#report(elapsed()), finding: await this.#findingOf(error) };
    }
  }

  #report(seconds: number): FuzzReport {
    const share = this.coverage.share();
    return {
      executions: this.#executions,
      seconds,
      share,
      corpus: this.#corpus,
      heapGrowthBytes: 0,
      finding: undefined,
    };
  }

  async #search(plan: FuzzPlan, elapsed: () => number): Promise<number> {
    const { maxBytes } = this.target;
    const tokens = this.target.tokens.map(bytesOf);
    const material = { random: randomNumbers(plan.seed), tokens, corpus: this.#corpus, maxBytes };
    let warmHeap: number | undefined;
    const done = (): number => Math.max(this.#executions / plan.executions, elapsed() / plan.seconds);
    while (done() < 1) {
      // Caches of the readers are full by then.
      if (done() > 0.3) warmHeap ??= heapBytes();
      await this.#keepIfNew(Array.from({ length: BATCH }, () => mutate(material)));
      // What weak references have read stays alive until a turn of the event loop ends.
      await settled();
    }
    const heap = heapBytes();
    const growth = heap - (warmHeap ?? heap);
    if (growth <= MAX_HEAP_GROWTH_BYTES) return growth;
    throw new Failure(`the heap grew by ${growth} bytes`, new Uint8Array());
  }

  /** Runs all, and again the halves of those that have reached new code, until it is known which input did. */
  async #keepIfNew(inputs: readonly Uint8Array[]): Promise<void> {
    for (const input of inputs) await this.#execute(input);
    const seen = this.coverage.observe();
    const [first] = inputs;
    if (inputs.length === 1 && first !== undefined) requireLittleWork(first, seen.work);
    if (!hasNews(seen)) return;
    if (inputs.length === 1) this.#corpus.push(...inputs);
    else for (const half of halvesOf(inputs)) await this.#keepIfNew(half);
    adopt(seen);
  }

  /** @throws {Failure} */
  async #execute(input: Uint8Array): Promise<void> {
    this.#executions += 1;
    this.announce(input);
    const start = performance.now();
    await this.#runOnce(input);
    if (performance.now() - start < SLOW_MS) return;
    const times = [await this.#cpuMs(input), await this.#cpuMs(input), await this.#cpuMs(input)];
    const least = Math.min(...times);
    if (least > SLOW_MS) throw new Failure(`takes ${Math.round(least)} ms`, input);
  }

  async #runOnce(input: Uint8Array): Promise<void> {
    try {
      // Awaiting nothing costs a turn of the queue of microtasks.
      const running = this.target.run(input);
      if (running !== undefined) await running;
    } catch (error) {
      throw new Failure(error instanceof Error ? (error.stack ?? error.message) : String(error), input);
    }
  }

  async #cpuMs(input: Uint8Array): Promise<number> {
    const before = process.cpuUsage();
    await this.#runOnce(input);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  }

  async #findingOf({ fact, input }: Failure): Promise<Finding> {
    const shortest = await shrink(input, async (candidate) => {
      const failure = await this.#failureOf(candidate);
      return failure !== undefined && kindOf(failure.fact) === kindOf(fact);
    });
    return { fact, input: toBase64(shortest) };
  }

  async #failureOf(input: Uint8Array): Promise<Failure | undefined> {
    try {
      this.coverage.observe();
      await this.#execute(input);
      requireLittleWork(input, this.coverage.observe().work);
      return undefined;
    } catch (error) {
      return error as Failure;
    }
  }

  async #minimised(): Promise<readonly Uint8Array[]> {
    this.coverage.observe();
    this.coverage.forget();
    const bySize = this.#corpus.splice(0).toSorted((a, b) => a.length - b.length);
    for (const input of bySize) await this.#keepIfNew([input]);
    return this.#corpus;
  }
}

function halvesOf<T>(items: readonly T[]): readonly (readonly T[])[] {
  const middle = Math.floor(items.length / 2);
  return [items.slice(0, middle), items.slice(middle)];
}

/** @throws {Failure} */
function requireLittleWork(input: Uint8Array, work: number): void {
  if (work > BASE_WORK + WORK_PER_BYTE * input.length) throw new Failure(`runs ${work} blocks`, input);
}

/** Equal for failures of one cause. */
function kindOf(fact: string): string {
  return fact.split('\n', 2).join().replaceAll(/\d+/g, '');
}

function bytesOf(text: string | Uint8Array): Uint8Array {
  return Uint8Array.from(Buffer.from(text as string));
}

function heapBytes(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  const { used_heap_size: used, external_memory: external } = getHeapStatistics();
  return used + external;
}
