import { sharedValue } from '../base/shared-value.ts';
import type { Stars } from './stars.ts';

export const useStars = sharedValue<Stars>();
