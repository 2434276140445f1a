import { CHANGE_CURSOR } from '../../../application/changes/change-cursors.ts';
import { COMMON_SPACE, parseSpace, type Space } from '../../../domain/space/space.ts';
import { flag, type Kind, type Option, option, optionOr, TEXT } from './option.ts';
import type { Format } from './output.ts';

/** The empty name is the space of all tokens while SPACE_CLAIM is unset. */
export const SPACE: Kind<Space> = {
  mustBe: 'a space: 1 to 255 characters without control characters; the empty name is a space too',
  parse: (text) => (text === COMMON_SPACE ? COMMON_SPACE : parseSpace(text)),
};

export const CURSOR: Kind<string> = {
  mustBe: 'a cursor of the feed of changes, or latest',
  parse: (text) => (CHANGE_CURSOR.test(text) ? text : undefined),
};

/** Which catalog a command works on. */
export const CATALOG = {
  url: option(
    'URL',
    'a running service (or the variable CATALOG_URL; credentials: see docs/import.md)',
    TEXT,
    { excludes: ['direct'] },
  ),
  direct: flag('instead: the storage that is configured on this machine'),
};

export const RESUME_FILE = option('FILE', 'notes the progress in the file, and continues from it', TEXT);

/** @param json what the lines are */
export function formatOption(json: string): Option<Format> {
  const kind = choice('json', 'table');
  const help = `${json} (default: table on a terminal, else json)`;
  return optionOr('json|table', help, kind, () => (process.stdout.isTTY ? 'table' : 'json'));
}

/** One of some words. */
export function choice<Word extends string>(...words: readonly Word[]): Kind<Word> {
  return { mustBe: words.join(' or '), parse: (text) => words.find((word) => word === text) };
}

const MAX_JOBS = 64;

const JOBS: Kind<number> = {
  mustBe: `a whole number from 1 to ${MAX_JOBS}`,
  parse: (text) => (/^[1-9]\d?$/.test(text) && Number(text) <= MAX_JOBS ? Number(text) : undefined),
};

/** @param work what is done `usual` times at once unless the option is given */
export function jobsOption(work: string, usual: number): Option<number> {
  return optionOr('N', `${work} at a time at most (${usual})`, JOBS, () => usual);
}
