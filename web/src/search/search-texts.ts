import { english } from '../languages/english.ts';
import { roomTexts } from '../languages/texts.ts';

const { suggestions } = english;

/** The first word of each is shown, all are understood. */
type FilterWords = readonly [shown: string, ...others: string[]];

export type RelativeDate =
  | 'today'
  | 'yesterday'
  | 'thisMonth'
  | 'lastMonth'
  | 'thisYear'
  | 'lastYear'
  | 'last7Days'
  | 'last30Days';

export type DateSide = 'since' | 'after' | 'until' | 'before' | 'between';

const dates: Readonly<Record<RelativeDate, FilterWords>> = {
  today: ['Today'],
  yesterday: ['Yesterday'],
  thisMonth: ['This month'],
  lastMonth: ['Last month'],
  thisYear: ['This year'],
  lastYear: ['Last year'],
  last7Days: ['Last 7 days'],
  last30Days: ['Last 30 days'],
};

/** Before a date, and between two. */
const dateSides: Readonly<Record<DateSide, readonly string[]>> = {
  since: ['since', 'from'],
  after: ['after'],
  until: ['until'],
  before: ['before'],
  between: ['to'],
};

export const searchTexts = roomTexts('search', {
  label: 'Search',
  clear: 'Clear the search',
  suggestionsLabel: 'Filters',
  suggestions: (count: number): string => (count === 0 ? 'No suggestions' : suggestions(count)),
  kinds: { tag: 'Tag', date: 'Date', type: 'File type' },
  words: (words: string) => `“${words}”`,
  /** Pictures without tags, without a capture time, and without an alternative text. */
  untagged: ['Untagged', 'No tags', 'Without tags'] as FilterWords,
  undated: ['Undated', 'No date', 'Without date'] as FilterWords,
  undescribed: ['No alternative text', 'Without alternative text', 'Alternative text missing'] as FilterWords,
  uploadedBy: (subject: string) => `Uploaded by ${subject}`,
  captures: {
    camera: (words: string) => `Camera: ${words}`,
    lens: (words: string) => `Lens: ${words}`,
  },
  /** Before words of the camera and of the lens, in lower case. */
  captureWords: { camera: 'camera', lens: 'lens' },
  removed: (filter: string) => `Removed ${filter}`,
  added: (filter: string) => `Filtered by ${filter}`,
  /** Before filters, if no picture has the words. */
  otherReadings: 'Show instead:',
  dates,
  dateSides,
  since: (date: string) => `Since ${date}`,
  until: (date: string) => `Until ${date}`,
  after: (time: string) => `After ${time}`,
  before: (time: string) => `Before ${time}`,
  between: (first: string, last: string) => `${first} – ${last}`,
});
