import type { compareTexts } from '../../compare/compare-texts.ts';

export const compare = {
  title: 'Vergleichen',
  hint: 'Zoom gilt für alle. Behalten löscht die übrigen Bilder.',
  close: 'Zurück',
  keep: 'Dieses behalten',
  keepNamed: (name) => `Dieses behalten: ${name}`,
  facts: { pixels: 'Meiste Pixel', bytes: 'Größte Datei', same: 'Zweimal dieselbe Datei' },
  tooFew: 'Die anderen Bilder wurden gelöscht: Es gibt nichts zu vergleichen.',
} satisfies typeof compareTexts.english;
