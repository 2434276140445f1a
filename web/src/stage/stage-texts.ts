import { roomTexts } from '../languages/texts.ts';

export const stageTexts = roomTexts('stage', {
  deleted: 'This picture was deleted.',
  failed: 'The picture could not be loaded.',
  zoomIn: 'Zoom in',
  zoomOut: 'Show the whole picture',
  previous: 'Previous picture',
  next: 'Next picture',
});
