import { panelTexts } from './panel-texts.ts';

/** @param message of the service about a value, as in `may not be blank` */
export function valueRefusal(message: string): string {
  const { refusals } = panelTexts();
  const [, most, what] = /at most (\d+) (characters|tags)/.exec(message) ?? [];
  if (what === 'characters' || what === 'tags') return refusals[what](Number(most));
  if (/blank/.test(message)) return refusals.blank;
  if (/commas/.test(message)) return refusals.commas;
  return /control characters|surrogates/.test(message) ? refusals.signs : refusals.other(message);
}
