import { roomTexts } from '../languages/texts.ts';

export const stageTexts = roomTexts('stage', {
  missing: 'This picture is not in the catalog.',
  failed: 'The picture could not be loaded.',
  zoomIn: 'Zoom in',
  zoomOut: 'Show the whole picture',
  previous: 'Previous picture',
  next: 'Next picture',
});
