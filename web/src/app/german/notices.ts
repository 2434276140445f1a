import type { noticesTexts } from '../../notices/notices-texts.ts';

export const notices = {
  label: 'Hinweise',
  close: 'Schließen',
} satisfies typeof noticesTexts.english;
