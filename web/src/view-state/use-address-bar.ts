import { sharedValue } from '../base/shared-value.ts';
import type { AddressBar } from './address-bar.ts';

export const useAddressBar = sharedValue<AddressBar>();
