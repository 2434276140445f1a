import type { Setting } from '../base/setting.ts';

/** `system` follows the device. */
export type Theme = Setting<'system' | 'light' | 'dark'>;
