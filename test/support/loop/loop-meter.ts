import type {
  NamedRequest,
  RequestsUnderWay,
} from '../../../src/adapters/http/telemetry/requests-under-way.ts';
import { repeat } from '../time/repeat.ts';
import { mainThreadCpu } from './main-thread-cpu.ts';

/** A turn of the event loop that used much CPU while requests were under way. */
export interface LongTurn {
  /** In ms of the steady clock. */
  readonly start: number;
  readonly end: number;
  readonly cpuMs: number;
  readonly requests: readonly NamedRequest[];
}

/** Contract: no piece of work holds the event loop for longer, in ms of CPU. */
export const MAX_HOLD_MS = 100;
const LOOK_EVERY_MS = 20;

const watched = new Set<RequestsUnderWay>();
let turns: LongTurn[] = [];
let cpuMs = 0;
let start = 0;

/** The requests of a service. Returns what ends it. */
export function watchLoopFor(requests: RequestsUnderWay): () => void {
  watched.add(requests);
  return () => watched.delete(requests);
}

/** Looks at the CPU of the main thread about once a turn. Returns what ends it. */
export function measureTurns(): () => void {
  skipToNow();
  return repeat(LOOK_EVERY_MS, look);
}

/** Long turns since the last call, the one that runs now included. */
export function takeLongTurns(): readonly LongTurn[] {
  look();
  const taken = turns;
  turns = [];
  return taken;
}

/** What the tests themselves have done in this turn does not count. */
export function skipToNow(): void {
  cpuMs = mainThreadCpu() ?? 0;
  start = steadyNow();
}

function look(): void {
  const [before, since] = [cpuMs, start];
  skipToNow();
  if (cpuMs - before > MAX_HOLD_MS) {
    const requests = [...watched].flatMap((service) => service.names());
    if (requests.length > 0) turns.push({ start: since, end: start, cpuMs: cpuMs - before, requests });
  }
  for (const service of watched) service.forgetEnded();
}

/** `performance.now` may be replaced by a test. */
function steadyNow(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
