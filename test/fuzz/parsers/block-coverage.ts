import { type Profiler, Session } from 'node:inspector';

interface Script {
  /** One for each byte of the source: 1 if it has been run, or does not belong to a function. */
  readonly reached: Flags;
  readonly ofFunctions: Flags;
}

/** Compared four at a time. */
interface Flags {
  readonly bytes: Uint8Array;
  readonly words: Uint32Array;
}

export interface Observation {
  /** Blocks that have run, each as often as it ran. */
  readonly work: number;
  readonly painted: readonly (readonly [Script, Flags])[];
}

/** Whether code has run that never ran before an adoption. */
export function hasNews({ painted }: Observation): boolean {
  for (const [{ reached }, { words }] of painted) {
    for (let at = 0; at < words.length; at += 1) {
      if (((words[at] ?? 0) & ~(reached.words[at] ?? 0)) !== 0) return true;
    }
  }
  return false;
}

export function adopt({ painted }: Observation): void {
  for (const [{ reached }, { words }] of painted) {
    for (let at = 0; at < words.length; at += 1) {
      reached.words[at] = (reached.words[at] ?? 0) | (words[at] ?? 0);
    }
  }
}

/**
 * What has run of some sources, block by block. V8 counts exactly only in functions that are not optimised: start Node.js with
 * `--no-opt`. Ranges of neighbouring blocks with equal counts are merged, so that bytes are compared, not ranges.
 */
export class BlockCoverage {
  readonly #session = new Session();
  readonly #scripts = new Map<string, Script>();
  #sources: readonly string[] = [];

  /** Before the sources are imported. */
  start(): void {
    this.#session.connect();
    this.#session.post('Profiler.enable');
    this.#session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  }

  /** After the sources are imported: what ran meanwhile is not news. */
  watch(sources: readonly string[]): void {
    this.#sources = sources;
    for (const script of this.#take()) {
      const ends = script.functions.flatMap(({ ranges }) => ranges.map(({ endOffset }) => endOffset));
      const ofFunctions = flags(Math.max(...ends));
      // The first is the module itself.
      for (const { ranges } of script.functions.slice(1)) {
        for (const { startOffset, endOffset } of ranges) ofFunctions.bytes.fill(1, startOffset, endOffset);
      }
      this.#scripts.set(script.url, { reached: flags(ofFunctions.bytes.length), ofFunctions });
    }
    this.forget();
  }

  /** What has run since the last call. */
  observe(): Observation {
    let work = 0;
    const painted: [Script, Flags][] = [];
    for (const script of this.#take()) {
      work += script.functions.flatMap(({ ranges }) => ranges).reduce((sum, { count }) => sum + count, 0);
      const known = this.#scripts.get(script.url);
      if (known !== undefined) painted.push([known, paint(script, known.reached.bytes.length)]);
    }
    return { work, painted };
  }

  forget(): void {
    for (const { reached, ofFunctions } of this.#scripts.values()) {
      reached.bytes.set(ofFunctions.bytes.map((isOfFunction) => 1 - isOfFunction));
    }
  }

  /** The part of the code of functions that has run, from 0 to 1. */
  share(): number {
    const scripts = [...this.#scripts.values()];
    const all = scripts.reduce((sum, { ofFunctions }) => sum + count(ofFunctions, 1), 0);
    return all === 0 ? 1 : 1 - scripts.reduce((sum, { reached }) => sum + count(reached, 0), 0) / all;
  }

  #take(): readonly Profiler.ScriptCoverage[] {
    let taken: readonly Profiler.ScriptCoverage[] = [];
    this.#session.post('Profiler.takePreciseCoverage', (error, { result }) => {
      if (error !== null) throw error;
      taken = result;
    });
    return taken.filter(({ url }) => this.#sources.some((source) => url.includes(source)));
  }
}

/** Inner functions and blocks come behind those around them. */
function paint({ functions }: Profiler.ScriptCoverage, length: number): Flags {
  const painted = flags(length);
  for (const { ranges } of functions) {
    for (const { startOffset, endOffset, count } of ranges) {
      painted.bytes.fill(count > 0 ? 1 : 0, startOffset, endOffset);
    }
  }
  return painted;
}

function flags(length: number): Flags {
  const words = new Uint32Array(Math.ceil(length / 4));
  return { bytes: new Uint8Array(words.buffer, 0), words };
}

function count({ bytes }: Flags, value: number): number {
  return bytes.reduce((sum, byte) => (byte === value ? sum + 1 : sum), 0);
}
