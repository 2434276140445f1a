import type { Language } from '../languages/language.ts';
import type { Notices } from '../notices/notices.ts';
import type { Shortcuts } from '../shortcuts/shortcuts.ts';
import type { Trouble } from '../states/trouble.ts';
import type { Theme } from '../theme/theme.ts';
import { requiredContext } from './required-context.ts';

/** What every part of the page can say and hear. */
export interface Page {
  readonly notices: Notices;
  /** Every error of a request that is not handled elsewhere is reported here. */
  readonly trouble: Trouble;
  readonly shortcuts: Shortcuts;
  readonly theme: Theme;
  readonly language: Language;
}

export const [PageProvider, usePage] = requiredContext<Page>();
