import { english } from '../languages/english.ts';
import { roomTexts } from '../languages/texts.ts';

const { number, pictures, plural } = english;
const end = plural({ one: '# public address ends', other: '# public addresses end' });

export const publishingTexts = roomTexts('publishing', {
  title: 'Public addresses',
  /** Of a picture in the grid. */
  marked: (name: string): string => `${name}, public`,
  mark: 'Public',
  address: 'Public address',
  addressOf: (name: string): string => `Public address of ${name}`,
  hint: 'Everyone who has a public address sees the picture without signing in, and later whatever picture has the name.',
  coming: 'Publishing…',
  copy: (name: string): string => `Copy the public address of ${name}`,
  unpublish: 'Unpublish',
  unpublishName: (name: string): string => `Unpublish ${name}`,
  unpublished: (name: string): string => `${name} is not public any more.`,
  published: (name: string): string => `${name} is public.`,
  gone: (name: string): string => `The name ${name} was removed.`,
  changedMeanwhile: (name: string): string =>
    `Nothing was changed: somebody has changed the name ${name} in the meantime.`,
  moves: (name: string): string => `The public address of ${name} shows this picture then.`,
  backInPrivate: (name: string): string =>
    `${name} is back, but not public: that needs a right that you do not have.`,
  open: (picture: string): string => `Open ${picture}`,
  more: 'Show more',
  empty: 'No public addresses',
  emptyHint: 'In the details of a picture, “For websites” gives it a name and a public address.',
  /** Also of one picture: it may be another one than the person looks at. */
  deleteTitle: (count: number): string => `Delete ${pictures(count)}?`,
  delete: 'Delete',
  end: (addresses: number): string => `${end(addresses)}. Whoever opens one gets no picture any more.`,
  atLeast: (addresses: number, most: number): string =>
    `${addresses === 0 ? 'Public addresses may end' : `At least ${end(addresses)}`}: more than ${number(most)} names are public, and only the first were checked.`,
  notRestored: 'A picture that comes back from the trash does not have them any more.',
  others: (count: number): string => `and ${number(count)} more`,
  checking: 'Looking for public addresses that end…',
  unreadable: 'It could not be found out whether public addresses end.',
});
