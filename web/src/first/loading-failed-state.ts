import { statesTexts } from '../states/states-texts.ts';
import { troubleTexts } from '../trouble/trouble-texts.ts';
import type { FirstState } from './first-page.ts';

/** @param retry is missing while it is under way */
export function loadingFailedState(retry?: () => unknown): FirstState {
  const { loadingFailed, loadingFailedHint, retrying } = statesTexts();
  const action = retry === undefined ? { label: retrying } : { label: troubleTexts().retry, run: retry };
  return { icon: 'offline', title: loadingFailed, hint: loadingFailedHint, alert: true, action };
}
