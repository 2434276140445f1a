import { CHANGE_CURSOR } from '../../../application/changes/change-cursors.ts';
import { COMMON_SPACE, parseSpace } from '../../../domain/space/space.ts';
import { parsedText } from '../../config/parsed-text.ts';
import { integer, oneOf } from '../../config/variable-types.ts';
import { flag, type Option, option, TEXT } from './option.ts';
import type { Format } from './output.ts';

/** The empty name is the space of all tokens while SPACE_CLAIM is unset. */
export const SPACE = parsedText(
  (text) => (text === COMMON_SPACE ? COMMON_SPACE : parseSpace(text)),
  'must be a space: 1 to 255 characters without control characters; the empty name is a space too',
);

export const CURSOR = TEXT.regex(CHANGE_CURSOR, 'must be a cursor of the feed of changes, or latest');

/** Which catalog a command works on. */
export const CATALOG = {
  url: option(
    'URL',
    'a running service (or the variable CATALOG_URL; credentials: see docs/import.md)',
    TEXT.optional(),
    { excludes: ['direct'] },
  ),
  direct: flag('instead: the storage that is configured on this machine'),
};

export const RESUME_FILE = option(
  'FILE',
  'notes the progress in the file, and continues from it',
  TEXT.optional(),
);

/** @param json what the lines are */
export function formatOption(json: string): Option<Format> {
  const format = oneOf('json', 'table').default(() => (process.stdout.isTTY ? 'table' : 'json'));
  return option('json|table', `${json} (default: table on a terminal, else json)`, format);
}

/** @param work what is done `usual` times at once unless the option is given */
export function jobsOption(work: string, usual: number): Option<number> {
  return option('N', `${work} at a time at most (${usual})`, integer(1, 64).default(usual));
}
