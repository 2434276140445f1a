import { sharedValue } from '../base/shared-value.ts';
import type { WebConfig } from './web-config.ts';

export const useConfig = sharedValue<WebConfig>();
