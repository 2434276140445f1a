import { sharedValue } from '../base/shared-value.ts';
import type { LinkCache } from './link-cache.ts';

export const useLinks = sharedValue<LinkCache>();
