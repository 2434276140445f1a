import { english } from '../languages/english.ts';
import { roomTexts } from '../languages/texts.ts';

const { number } = english;

function pictureOf(name: string | undefined): string {
  return name === undefined ? 'another picture' : `“${name}”`;
}

export const namesTexts = roomTexts('names', {
  title: 'Names',
  hint: 'A name is an address that stays when the picture behind it is replaced.',
  linkHint: 'A copied link shows everyone whatever picture has the name, and only the picture, for 7 days.',
  add: 'Give a name',
  label: 'New name',
  placeholder: 'front-page.jpg',
  give: 'Give',
  illFormed:
    'A name has up to 128 letters from A to Z, digits, dots, hyphens and underscores, and begins with no dot.',
  taken: (name: string, picture: string | undefined): string =>
    `${name} is the name of ${pictureOf(picture)} now. If it moves here, what shows ${name} shows this picture.`,
  fixed: (name: string, picture: string | undefined): string =>
    `${name} is the name of ${pictureOf(picture)} now, and public. To move it, you need a right that you do not have.`,
  move: 'Move it here',
  copy: (name: string): string => `Copy a link to ${name}`,
  replace: (name: string): string => `Upload another picture as ${name}…`,
  replacing: (name: string, percent: number): string => `Uploading ${name}: ${percent} %`,
  replaced: (name: string): string => `${name} is the name of the new picture. The picture before stays.`,
  remove: (name: string): string => `Remove the name ${name}`,
  removed: (name: string): string => `${name} is free. Links to it do not work any more.`,
  removedPublic: (name: string): string =>
    `${name} is free. Its public address and links to it do not work any more.`,
  movedMeanwhile: (name: string): string =>
    `Nothing was changed: ${name} is not the name of this picture any more.`,
  tooMany: 'A picture has at most 100 names.',
  notAll: (most: number): string =>
    `The catalog has more than ${number(most)} names. Those behind the first are not listed here.`,
});
