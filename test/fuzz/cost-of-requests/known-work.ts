import { createHash } from 'node:crypto';
import { mainThreadCpuMs } from '../../support/time/loop-turns.ts';

const ROUNDS = 5;
const STRINGS = 20_000;

/** CPU of a known piece of work in this process, in ms: the least of a few rounds. Says how fast the machine is. */
export function knownWorkMs(): number {
  return Math.min(...Array.from({ length: ROUNDS }, roundMs));
}

/** What `knownWorkMs` is on the machine for which limits are stated. */
export const REFERENCE_WORK_MS = 20;

function roundMs(): number {
  const begun = mainThreadCpuMs();
  const texts = Array.from({ length: STRINGS }, (_, at) => `${(at * 7_919) % STRINGS} ${'text'.repeat(5)}`);
  const sorted = texts.toSorted((a, b) => a.localeCompare(b, 'en'));
  createHash('sha256').update(JSON.stringify(sorted)).digest();
  return mainThreadCpuMs() - begun;
}
