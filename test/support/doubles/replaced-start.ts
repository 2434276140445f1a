import type { Confinement } from '../../../src/adapters/decoder/confinement.ts';
import type { DecoderPool } from '../../../src/adapters/decoder/decoder-pool.ts';

/** Replaces the start of all decoders of this class. Returns what undoes it. */
export function replaceStart(
  { prototype }: { readonly prototype: DecoderPool },
  start: () => Promise<Confinement>,
): () => void {
  const own = Object.getOwnPropertyDescriptor(prototype, 'start') as PropertyDescriptor;
  Object.defineProperty(prototype, 'start', { ...own, value: start });
  return () => Object.defineProperty(prototype, 'start', own);
}
