import { sharedValue } from '../base/shared-value.ts';
import type { UndoSteps } from './undo-steps.ts';

export const useUndo = sharedValue<UndoSteps>();
