import type { CatalogName, HostileCatalogs } from './hostile-catalogs.ts';
import type { TextKind } from './hostile-texts.ts';
import type { SignedPaths } from './signed-paths.ts';

export interface SentRequest {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** What requests are made of. */
export interface Ingredients {
  readonly catalogs: HostileCatalogs;
  readonly signedPaths: SignedPaths;
  readonly text: TextKind;
  readonly random: () => number;
  /** Another number each time: what a request uses up is not there for the next. */
  readonly serial: number;
}

export type Listener = 'api' | 'web' | 'management';

/** A large request of an operation. */
export interface HostileRequest {
  /** What is costly about it. */
  readonly what: string;
  /** By default that of the API. */
  readonly listener?: Listener;
  /** Whose token it carries. */
  readonly space: CatalogName;
  readonly make: (ingredients: Ingredients) => SentRequest;
  /** The client leaves when it has received so much. By default it reads all. */
  readonly untilBytes?: number;
}

/** As a query. Together with a token it fits into the 16 KB of all headers. */
export const LONG_PARAMETER = '['.repeat(15_000);

/** The id of another image each time, until all have had their turn. */
function anId({ catalogs, serial }: Ingredients, space: CatalogName): number {
  const { firstId, count } = catalogs[space];
  return firstId + (serial % count);
}

/** @param make gets the id of an image of the space as well */
export function large(
  space: CatalogName,
  what: string,
  make: (ingredients: Ingredients, id: number) => SentRequest,
): HostileRequest {
  return { what, space, make: (ingredients) => make(ingredients, anId(ingredients, space)) };
}

/** At most `count`, from another beginning each time. */
export function someIds(
  { catalogs, serial }: Ingredients,
  space: CatalogName,
  count: number,
): readonly number[] {
  const { firstId, count: all } = catalogs[space];
  const length = Math.min(count, all);
  return Array.from({ length }, (_, at) => firstId + ((serial * length + at) % all));
}

export function get(path: string, query: Readonly<Record<string, string | number>> = {}): SentRequest {
  const entries = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]);
  const search = new URLSearchParams(entries).toString();
  return { method: 'GET', path: search === '' ? path : `${path}?${search}` };
}

export function json(method: string, path: string, value: unknown, type = 'application/json'): SentRequest {
  return { method, path, headers: { 'content-type': type }, body: JSON.stringify(value) };
}
