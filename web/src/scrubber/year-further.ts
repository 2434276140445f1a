import type { Section } from '../images/list-plan.ts';

/** The index of the section a year further, or of the last one. */
export function yearFurther(sections: readonly Section[], index: number, direction: 1 | -1): number {
  const yearOf = (at: number): string | undefined => sections[at]?.period?.slice(0, 4);
  let at = index;
  while (sections[at + direction] !== undefined && yearOf(at) === yearOf(index)) at += direction;
  return at;
}
