import { Minimatch } from 'minimatch';
import { UsageError } from '../command-line/usage-error.ts';

/** `#recycle` and `!x` are names here, and no comment or negation. Patterns without a slash match names in any folder. */
const OPTIONS = { dot: true, matchBase: true, nocomment: true, nonegate: true };

/**
 * Not `path.matchesGlob`: it prints a warning in Node.js 20. Letters with accents match however they are composed: macOS may have
 * decomposed the names of its files, and keyboards compose.
 *
 * @returns tells whether a path below the folder, with slashes, matches one of the patterns
 * @throws {UsageError} if a pattern could match no path
 */
export function excludedBy(patterns: readonly string[]): (path: string) => boolean {
  const matchers = patterns.map((pattern) => new Minimatch(requireRelative(pattern).normalize(), OPTIONS));
  return (path) => matchers.some((matcher) => matcher.match(path.normalize()));
}

/** "./raw/" means "raw". */
function requireRelative(pattern: string): string {
  const relative = pattern.replace(/^(?:\.\/+)+/, '').replace(/(?<=[^/])\/+$/, '');
  const isBelow = relative !== '' && !relative.startsWith('/') && !/(?:^|\/)\.\.?(?:\/|$)/.test(relative);
  if (isBelow) return relative;
  throw new UsageError(
    `--exclude ${pattern} matches nothing: patterns are relative to FOLDER, as in 'raw/**', or names, as in '*.tif'`,
  );
}
