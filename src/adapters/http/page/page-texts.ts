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
  /** By code. */
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
    link_invalid: 'This link is not valid. Ask for a new one.',
    link_expired: 'This link has expired. Ask for a new one.',
    image_not_found: 'The pictures of this page have been deleted.',
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
    link_invalid: 'Dieser Link ist nicht gültig. Ein neuer ist nötig.',
    link_expired: 'Dieser Link ist abgelaufen. Ein neuer ist nötig.',
    image_not_found: 'Die Bilder dieser Seite wurden gelöscht.',
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
