import type { namesTexts } from '../../names/names-texts.ts';
import { words } from './words.ts';

const { number } = words;

function pictureOf(name: string | undefined): string {
  return name === undefined ? 'einem anderen Bild' : `„${name}“`;
}

export const names = {
  title: 'Namen',
  hint: 'Ein Name ist eine Adresse, die bleibt, wenn das Bild dahinter ersetzt wird.',
  linkHint: 'Ein kopierter Link zeigt allen 7 Tage lang nur das Bild, das den Namen gerade hat.',
  add: 'Namen geben',
  label: 'Neuer Name',
  placeholder: 'startseite.jpg',
  give: 'Geben',
  illFormed:
    'Ein Name hat bis zu 128 Buchstaben von A bis Z, Ziffern, Punkte, Binde- und Unterstriche und beginnt mit keinem Punkt.',
  taken: (name, picture) =>
    `${name} ist jetzt der Name von ${pictureOf(picture)}. Nach dem Verschieben zeigt alles, was ${name} zeigt, dieses Bild.`,
  fixed: (name, picture) =>
    `${name} ist jetzt der Name von ${pictureOf(picture)} und öffentlich. Zum Verschieben fehlt das Recht.`,
  move: 'Hierher verschieben',
  copy: (name) => `Link zu ${name} kopieren`,
  replace: (name) => `Ein anderes Bild als ${name} hochladen …`,
  replacing: (name, percent) => `${name} wird hochgeladen: ${percent} %`,
  replaced: (name) => `${name} ist der Name des neuen Bildes. Das bisherige Bild bleibt.`,
  remove: (name) => `Namen ${name} entfernen`,
  removed: (name) => `${name} ist frei. Links dorthin funktionieren nicht mehr.`,
  removedPublic: (name) =>
    `${name} ist frei. Die öffentliche Adresse und Links dorthin funktionieren nicht mehr.`,
  movedMeanwhile: (name) => `Nichts wurde geändert: ${name} ist nicht mehr der Name dieses Bildes.`,
  tooMany: 'Ein Bild hat höchstens 100 Namen.',
  notAll: (most) =>
    `Der Katalog hat mehr als ${number(most)} Namen. Spätere Namen sind hier nicht aufgeführt.`,
} satisfies typeof namesTexts.english;
