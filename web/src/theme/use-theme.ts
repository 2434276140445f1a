import { sharedValue } from '../base/shared-value.ts';
import type { Theme } from './theme.ts';

export const useTheme = sharedValue<Theme>();
