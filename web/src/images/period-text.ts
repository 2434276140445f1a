import { commonTexts } from '../languages/common-texts.ts';
import { formats } from '../languages/formats.ts';
import { UNDATED } from './list-plan.ts';

/** @param period of a section, as in 2026-11 */
export function periodText(period: string): string {
  return period === UNDATED ? commonTexts().undated : formats().period(period);
}
