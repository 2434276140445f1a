import { sharedValue } from '../base/shared-value.ts';
import type { PublishedNames } from './published-names.ts';

export const usePublishedNames = sharedValue<PublishedNames>();
