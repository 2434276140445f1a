import type { Profiler } from 'node:inspector';
import type { LongTurn } from './loop-meter.ts';

/** Work of the service without a break. */
export interface Piece {
  readonly cpuMs: number;
  /** The functions in which it was most often, with their share of it in percent. */
  readonly functions: readonly string[];
}

const PROJECT = new URL('../../../', import.meta.url).href;
const SOURCE = `${PROJECT}src/`;
const TESTS = `${PROJECT}test/`;
/** Runs the service: what is called from here is work of the service. */
const SERVER = `${TESTS}support/http/test-service.ts`;
/** In percent. */
const MIN_SHARE = 5;

type Kind = 'service' | 'tests' | 'package' | 'unknown' | 'garbage' | 'idle';

/**
 * The longest piece of work of the service in a turn. The profiler interrupts the thread while it runs, so that the samples
 * divide the CPU of the turn. Native code often has no caller in a sample: it belongs to what ran before. Garbage collection and
 * packages that the service has not called do not count, and do not end a piece.
 */
export function longestPiece(
  { nodes, samples = [], timeDeltas = [], startTime }: Profiler.Profile,
  turn: LongTurn,
): Piece {
  const stacks = stacksOf(nodes);
  const pieces: string[][] = [[]];
  let busy = 0;
  let isOfService = false;
  let at = startTime / 1_000;
  for (const [index, sample] of samples.entries()) {
    at += (timeDeltas[index] ?? 0) / 1_000;
    if (at < turn.start || at > turn.end) continue;
    const stack = stacks.get(sample) ?? [];
    const kind = kindOf(stack);
    if (kind !== 'idle') busy += 1;
    if (kind !== 'unknown' && kind !== 'garbage') isOfService = kind === 'service';
    if (isOfService && kind !== 'garbage') pieces.at(-1)?.push(nameOf(stack));
    if (kind === 'idle' || kind === 'tests') pieces.push([]);
  }
  const longest = pieces.reduce((most, piece) => (piece.length > most.length ? piece : most));
  const cpuMs = busy === 0 ? 0 : (turn.cpuMs * longest.length) / busy;
  return { cpuMs, functions: mostFrequent(longest) };
}

type Frame = Profiler.ProfileNode['callFrame'];

/** By the id of a node: its frames, the innermost first. */
function stacksOf(nodes: readonly Profiler.ProfileNode[]): ReadonlyMap<number, readonly Frame[]> {
  const parents = new Map(nodes.flatMap((node) => (node.children ?? []).map((child) => [child, node.id])));
  const stacks = new Map<number, readonly Frame[]>();
  // A node comes after its parent.
  for (const { id, callFrame } of nodes) {
    stacks.set(id, [callFrame, ...(stacks.get(parents.get(id) ?? 0) ?? [])]);
  }
  return stacks;
}

function kindOf(stack: readonly Frame[]): Kind {
  if (stack[0]?.functionName === '(idle)') return 'idle';
  if (stack[0]?.functionName === '(garbage collector)') return 'garbage';
  if (stack.some(({ url }) => url.startsWith(TESTS) && url !== SERVER)) return 'tests';
  if (stack.some(({ url }) => url.startsWith(SOURCE))) return 'service';
  return stack.some(({ url }) => url.startsWith('file:')) ? 'package' : 'unknown';
}

/** The innermost function of the service, or that of native code. */
function nameOf(stack: readonly Frame[]): string {
  const frame = stack.find(({ url }) => url.startsWith(SOURCE));
  if (frame === undefined) return stack[0]?.functionName ?? '';
  return `${frame.functionName || '(anonymous)'} of ${frame.url.slice(PROJECT.length)}`;
}

function mostFrequent(names: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  const shares = [...counts].map(([name, count]) => ({ name, share: (100 * count) / names.length }));
  const large = shares
    .filter(({ share }) => share >= MIN_SHARE)
    .toSorted((one, other) => other.share - one.share);
  return large.map(({ name, share }) => `${name} (${Math.round(share)} %)`);
}
