import { sharedValue } from '../base/shared-value.ts';
import type { Shortcuts } from './shortcuts.ts';

export const useShortcuts = sharedValue<Shortcuts>();
