import { shortcutsTexts } from './shortcuts-texts.ts';

/** What is written before the other key: `⌘`, or `Ctrl ` as it is on the keyboards of the language. */
export function modKey(): string {
  return /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : `${shortcutsTexts().ctrl} `;
}
