import type { liveTexts } from '../../live/live-texts.ts';
import { words } from './words.ts';

const { plural } = words;
const newPictures = plural({ one: '# neues Bild', other: '# neue Bilder' });

export const live = {
  waiting: (count) => newPictures(count),
  announced: 'Es gibt neue Bilder',
} satisfies typeof liveTexts.english;
