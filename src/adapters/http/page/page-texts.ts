import type { Context } from 'koa';

const ENGLISH = {
  /** BCP 47. */
  language: 'en',
  /** How dates are written. */
  locale: 'en-GB',
  /** If the page has none of its own. */
  title: 'Pictures',
  availableUntil: 'Available until',
  /** Before a link that loads the page again: it has no script that could. */
  isMissing: 'Is a picture missing?',
  loadAgain: 'Load the page again',
  count: (pictures: number) => (pictures === 1 ? '1 picture' : `${pictures} pictures`),
  picture: (position: number, pictures: number) => `Picture ${position} of ${pictures}`,
  download: (position: number) => `Download picture ${position}`,
  /** By code: what is so, and in another sentence what can be done. */
  errors: {
    link_invalid:
      'This link does not work. A part of it may be missing: copy all of it, or ask for a new one.',
    link_expired: 'This link has expired. Ask the person who sent it for a new one.',
    image_not_found: 'These pictures are not there any more. They have been deleted from the catalog.',
    not_found: 'There is nothing at this address.',
    method_not_allowed: 'This page can only be read.',
  } as Readonly<Record<string, string>>,
  otherError: 'This page cannot be shown at the moment. Try again later.',
};

export type PageTexts = typeof ENGLISH;

const GERMAN: PageTexts = {
  language: 'de',
  locale: 'de-DE',
  title: 'Bilder',
  availableUntil: 'Verfügbar bis',
  isMissing: 'Fehlt ein Bild?',
  loadAgain: 'Seite neu laden',
  count: (pictures) => (pictures === 1 ? '1 Bild' : `${pictures} Bilder`),
  picture: (position, pictures) => `Bild ${position} von ${pictures}`,
  download: (position) => `Bild ${position} herunterladen`,
  errors: {
    link_invalid:
      'Dieser Link funktioniert nicht. Vielleicht fehlt ein Teil: den ganzen Link kopieren oder um einen neuen bitten.',
    link_expired: 'Dieser Link ist abgelaufen. Wer ihn geschickt hat, kann einen neuen schicken.',
    image_not_found: 'Diese Bilder gibt es nicht mehr. Sie wurden aus dem Katalog gelöscht.',
    not_found: 'Unter dieser Adresse gibt es nichts.',
    method_not_allowed: 'Diese Seite kann nur gelesen werden.',
  },
  otherError: 'Diese Seite kann gerade nicht gezeigt werden. Bitte später noch einmal versuchen.',
};

/** In the language that the browser prefers; English if it prefers none of these. */
export function pageTextsFor(ctx: Context): PageTexts {
  ctx.vary('Accept-Language');
  return ctx.acceptsLanguages('en', 'de') === 'de' ? GERMAN : ENGLISH;
}
