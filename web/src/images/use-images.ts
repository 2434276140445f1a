import { sharedValue } from '../base/shared-value.ts';
import type { CurrentImages } from './current-images.ts';

export const useImages = sharedValue<CurrentImages>();
