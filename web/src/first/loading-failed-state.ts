import { statesTexts } from '../states/states-texts.ts';
import { troubleTexts } from '../trouble/trouble-texts.ts';
import type { FirstState } from './first-page.ts';

/** @param retry is missing while it is under way */
export function loadingFailedState(error: unknown, retry?: () => unknown): FirstState {
  const { loadingFailed, loadingFailedHint, retrying, storageRefused } = statesTexts();
  // Settings of the browser may refuse `sessionStorage`.
  const isRefused = error instanceof DOMException && error.name === 'SecurityError';
  const hint = isRefused ? storageRefused : loadingFailedHint;
  const action = retry === undefined ? { label: retrying } : { label: troubleTexts().retry, run: retry };
  return { icon: 'offline', title: loadingFailed, hint, alert: true, action };
}
