import { sharedValue } from '../base/shared-value.ts';
import type { Trouble } from './trouble.ts';

export const useTrouble = sharedValue<Trouble>();
