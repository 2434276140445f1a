import type { CatalogError } from '../../../../client/src/node.ts';
import { oneLine } from '../../../adapters/service-client/one-line.ts';
import type { ImportReport } from '../../../application/maintenance/import/import-folder.ts';
import { countOf } from '../command-line/output.ts';

/** By code: what has to happen before another run. */
const ADVICE: Readonly<Record<string, string>> = {
  quota_exceeded: 'the space is full: remove images, or raise its limits with image-catalog spaces set',
  invalid_request: 'the catalog does not take a name, or what records.ndjson says of the file',
  read_only: 'the catalog is read-only: wait until it accepts uploads',
  insufficient_scope: 'the token lacks a scope: use one that has it',
  space_missing: 'the token names no space: use one that does',
  invalid_token: 'the token is not accepted any more: use a new one',
};

/**
 * What a person can do if the same call may upload more later; `undefined` if it would not.
 *
 * @param verdict why no call has succeeded any more
 */
export function adviceOf(
  { refusedForNow }: Readonly<ImportReport>,
  verdict: CatalogError | undefined,
): string | undefined {
  const refusals = Object.entries(refusedForNow).map(
    ([code, count]) =>
      `${countOf(count, 'file')} refused for now: ${ADVICE[code] ?? 'see docs/http-api.md'} (${code}).`,
  );
  const end =
    verdict &&
    `${oneLine(verdict.message)}: ${ADVICE[verdict.code] ?? 'try again later'} (${oneLine(verdict.code)}).`;
  const reasons = [...refusals, ...(end === undefined ? [] : [end])];
  if (reasons.length === 0) return undefined;
  return [...reasons, 'Then run the same command again: it uploads what is missing.'].join('\n');
}
