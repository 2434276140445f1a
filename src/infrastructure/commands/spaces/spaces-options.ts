import type { LimitChange } from '../../../domain/ports/records/spaces.ts';
import type { Space } from '../../../domain/space/space.ts';
import { FORMAT, type Format, parseFormat, parseSpaceName } from '../command-line/shared-options.ts';
import { parseCommandLine, UsageError } from '../command-line/usage.ts';

export type SpacesCommand =
  | { readonly action: 'list'; readonly format: Format }
  | { readonly action: 'set'; readonly space: Space; readonly limits: LimitChange }
  | { readonly action: 'assign'; readonly from: Space; readonly to: Space; readonly wait: boolean }
  | { readonly action: 'remove'; readonly space: Space };

const OPTIONS = {
  ...FORMAT,
  'max-bytes': { type: 'string' },
  'max-images': { type: 'string' },
  wait: { type: 'boolean' },
  yes: { type: 'boolean' },
} as const;

type OptionName = keyof typeof OPTIONS;
type Values = { readonly [Name in OptionName]?: string | boolean | undefined };

/** What each action takes; the list has no name. */
const ACTIONS: ReadonlyMap<string, { readonly names: number; readonly options: readonly OptionName[] }> =
  new Map([
    ['', { names: 0, options: ['format'] }],
    ['set', { names: 1, options: ['max-bytes', 'max-images'] }],
    ['assign', { names: 2, options: ['wait'] }],
    ['remove', { names: 1, options: ['yes'] }],
  ]);

/** @throws {UsageError} */
export function parseSpaces(args: readonly string[]): SpacesCommand {
  const { values, positionals } = parseCommandLine({
    args: [...args],
    options: OPTIONS,
    allowPositionals: true,
  });
  const [action = '', ...names] = positionals;
  requireKnown(action, names, values);
  const [space, to] = names.map(parseSpaceName);
  if (space === undefined) return { action: 'list', format: parseFormat(values.format) };
  if (to === space) throw new UsageError('assign needs two names');
  if (to !== undefined) return { action: 'assign', from: space, to, wait: values.wait === true };
  if (action === 'set') return { action, space, limits: parseLimits(values) };
  if (values.yes !== true) throw new UsageError('remove deletes images: it needs --yes');
  return { action: 'remove', space };
}

function requireKnown(action: string, names: readonly string[], values: Values): void {
  const shape = ACTIONS.get(action);
  const given = Object.keys(values) as readonly OptionName[];
  if (shape?.names === names.length && given.every((name) => shape.options.includes(name))) return;
  throw new UsageError(
    'spaces takes nothing, set NAME and a limit, assign FROM TO, or remove NAME --yes; names that begin with a hyphen stand behind --',
  );
}

function parseLimits(values: {
  readonly 'max-bytes'?: string | undefined;
  readonly 'max-images'?: string | undefined;
}): LimitChange {
  const limits = { bytes: limitOf(values, 'max-bytes'), images: limitOf(values, 'max-images') };
  if (limits.bytes !== undefined || limits.images !== undefined) return limits;
  throw new UsageError('set needs --max-bytes, --max-images or both');
}

function limitOf<Name extends string>(
  values: { readonly [Key in Name]?: string | undefined },
  name: Name,
): number | 'default' | undefined {
  const text = values[name];
  if (text === undefined || text === 'default') return text;
  if (/^\d{1,16}$/.test(text) && Number.isSafeInteger(Number(text))) return Number(text);
  throw new UsageError(`--${name} must be a whole number, or default for the limit of the settings`);
}
