import type { GridModel } from '../grid/grid-model.ts';
import type { CurrentImages } from '../images/current-images.ts';
import type { Selection } from '../selection/selection.ts';
import type { AddressBar } from '../view-state/address-bar.ts';
import { requiredContext } from './required-context.ts';

/** The pictures that are shown, and where the person is among them. */
export interface View {
  readonly addressBar: AddressBar;
  readonly images: CurrentImages;
  /** What of the list is in view. */
  readonly grid: GridModel;
  readonly selection: Selection;
}

export const [ViewProvider, useView] = requiredContext<View>();
