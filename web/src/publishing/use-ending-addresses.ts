import { sharedValue } from '../base/shared-value.ts';
import type { EndingAddresses } from './ending-addresses.ts';

export const useEndingAddresses = sharedValue<EndingAddresses>();
