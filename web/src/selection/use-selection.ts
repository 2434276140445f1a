import { sharedValue } from '../base/shared-value.ts';
import type { Selection } from './selection.ts';

export const useSelection = sharedValue<Selection>();
