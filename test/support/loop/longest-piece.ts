import type { Profiler } from 'node:inspector';
import { fileURLToPath } from 'node:url';
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
const MAX_FUNCTIONS = 3;

type Kind = 'service' | 'idle' | 'tests' | 'other';

/**
 * The longest piece of work of the service in a turn. The profiler interrupts the thread while it runs, so that the samples
 * divide the CPU of the turn. Those of garbage collection, of Node.js and of the clients of the tests neither count nor break it.
 */
export function longestPiece(
  { nodes, samples = [], timeDeltas = [], startTime }: Profiler.Profile,
  turn: LongTurn,
): Piece {
  const stacks = stacksOf(nodes);
  const pieces: string[][] = [[]];
  let busy = 0;
  let at = startTime / 1_000;
  for (const [index, sample] of samples.entries()) {
    at += (timeDeltas[index] ?? 0) / 1_000;
    if (at < turn.start || at > turn.end) continue;
    const stack = stacks.get(sample) ?? [];
    const kind = kindOf(stack);
    if (kind !== 'idle') busy += 1;
    if (kind === 'service') pieces.at(-1)?.push(nameOf(stack));
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
  if (stack.some(({ url }) => url.startsWith(TESTS) && url !== SERVER)) return 'tests';
  return stack.some(({ url }) => url.startsWith(SOURCE)) ? 'service' : 'other';
}

/** The innermost function of the service. */
function nameOf(stack: readonly Frame[]): string {
  const frame = stack.find(({ url }) => url.startsWith(SOURCE));
  const file = fileURLToPath(frame?.url ?? SOURCE).slice(fileURLToPath(PROJECT).length);
  return `${frame?.functionName || '(anonymous)'} of ${file}`;
}

function mostFrequent(names: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  const sorted = [...counts].toSorted(([, one], [, other]) => other - one).slice(0, MAX_FUNCTIONS);
  return sorted.map(([name, count]) => `${name} (${Math.round((100 * count) / names.length)} %)`);
}
