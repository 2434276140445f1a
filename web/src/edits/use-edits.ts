import { sharedValue } from '../base/shared-value.ts';
import type { Edits } from './edits.ts';

export const useEdits = sharedValue<Edits>();
