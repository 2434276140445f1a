import { formatsOf } from '../../languages/formats-of.ts';

const formats = formatsOf('de');
const { plural } = formats;

/** How German writes, and the phrases that several rooms share. */
export const words = {
  ...formats,
  pictures: plural({ one: '# Bild', other: '# Bilder' }),
  /** After von. */
  ofPictures: plural({ one: '# Bild', other: '# Bildern' }),
  suggestions: plural({ one: '# Vorschlag', other: '# Vorschläge' }),
  picturesMissing: plural({
    one: '# Bild ist inzwischen gelöscht.',
    other: '# Bilder sind inzwischen gelöscht.',
  }),
  picturesNotChanged: plural({
    one: '# Bild konnte nicht geändert werden und bleibt ausgewählt.',
    other: '# Bilder konnten nicht geändert werden und bleiben ausgewählt.',
  }),
  days: plural({ one: '# Tag', other: '# Tage' }),
};
