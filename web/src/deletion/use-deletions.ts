import { sharedValue } from '../base/shared-value.ts';
import type { Deletions } from './deletions.ts';

export const useDeletions = sharedValue<Deletions>();
