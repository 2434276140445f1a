import type { undoTexts } from '../../undo/undo-texts.ts';

export const undo = { undo: 'Rückgängig' } satisfies typeof undoTexts.english;
