import type { Usage } from '@image-catalog/client';
import { headerTexts } from './header-texts.ts';

/** From here on a space is almost full. */
const WARNING_SHARE = 0.9;

export interface UsageMeasure {
  readonly kind: 'images' | 'bytes';
  readonly text: string;
  /** 0 to 1 of the limit; `undefined` if there is none. */
  readonly share: number | undefined;
  readonly state: 'fine' | 'almostFull' | 'full';
}

export function measuresOf({ images, bytes, trashed, limits }: Usage): readonly UsageMeasure[] {
  const { usage } = headerTexts();
  return [
    measure('images', images + trashed.images, limits.images, usage.images),
    measure('bytes', bytes + trashed.bytes, limits.bytes, usage.bytes),
  ];
}

function measure(
  kind: UsageMeasure['kind'],
  used: number,
  limit: number | null,
  textOf: (used: number, limit: number | null) => string,
): UsageMeasure {
  const text = textOf(used, limit);
  if (limit === null) return { kind, text, share: undefined, state: 'fine' };
  // 0 is a limit, too.
  const share = used >= limit ? 1 : used / limit;
  const state = share === 1 ? 'full' : share >= WARNING_SHARE ? 'almostFull' : 'fine';
  return { kind, text, share, state };
}
