import type { troubleTexts } from '../../trouble/trouble-texts.ts';

export const trouble = {
  retry: 'Erneut versuchen',
  retryNamed: (name) => `Erneut versuchen: ${name}`,
} satisfies typeof troubleTexts.english;
