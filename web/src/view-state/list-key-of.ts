import { listQueryOf } from './list-query.ts';
import type { ViewState } from './view-state.ts';

/** Equal for views that show the same pictures in the same order, whatever the viewer shows. */
export function listKeyOf(view: ViewState): string {
  return JSON.stringify(listQueryOf(view));
}
