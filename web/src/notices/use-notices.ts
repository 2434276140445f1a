import { sharedValue } from '../base/shared-value.ts';
import type { Notices } from './notices.ts';

export const useNotices = sharedValue<Notices>();
