import type { Context } from 'koa';

export interface PageTexts {
  /** BCP 47. */
  readonly language: string;
  /** How dates are written. */
  readonly locale: string;
  /** If the page has none of its own. */
  readonly title: string;
  /** Before the time at which the page expires. */
  readonly availableUntil: string;
  /** Before a link that loads the page again: it has no script that could. */
  readonly isMissing: string;
  readonly loadAgain: string;
  readonly count: (pictures: number) => string;
  readonly picture: (position: number, pictures: number) => string;
  readonly download: (position: number) => string;
  /** By code: what is so, and in another sentence what can be done. */
  readonly errors: Readonly<Record<string, string>>;
  readonly otherError: string;
}

const ENGLISH: PageTexts = {
  language: 'en',
  locale: 'en-GB',
  title: 'Pictures',
  availableUntil: 'Available until',
  isMissing: 'Is a picture missing?',
  loadAgain: 'Load the page again',
  count: (pictures) => (pictures === 1 ? '1 picture' : `${pictures} pictures`),
  picture: (position, pictures) => `Picture ${position} of ${pictures}`,
  download: (position) => `Download picture ${position}`,
  errors: {
    link_invalid:
      'This link does not work. A part of it may be missing: copy all of it, or ask for a new one.',
    link_expired: 'This link has expired. Ask the person who sent it for a new one.',
    image_not_found: 'These pictures are not there any more. They have been deleted from the catalog.',
    not_found: 'There is nothing at this address.',
    method_not_allowed: 'This page can only be read.',
  },
  otherError: 'This page cannot be shown at the moment. Try again later.',
};

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
