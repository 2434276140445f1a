import { sharedValue } from '../base/shared-value.ts';
import type { GridModel } from './grid-model.ts';

export const useGrid = sharedValue<GridModel>();
