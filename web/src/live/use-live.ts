import { sharedValue } from '../base/shared-value.ts';
import type { LivePictures } from './live-pictures.ts';

export const useLive = sharedValue<LivePictures>();
