import { sharedValue } from '../base/shared-value.ts';
import type { Session } from './session.ts';

export const useSession = sharedValue<Session>();
