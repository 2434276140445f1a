import { roomTexts } from '../languages/texts.ts';

export const undoTexts = roomTexts('undo', { undo: 'Undo' });
