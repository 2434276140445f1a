import type { Container, ServiceIdentifier } from 'inversify';
import { TOKENS } from './tokens.ts';

type Name = keyof typeof TOKENS;

/** What the container makes for these tokens. */
export type Resolved<Names extends Name> = {
  readonly [Each in Names]: (typeof TOKENS)[Each] extends ServiceIdentifier<infer Value> ? Value : never;
};

/** Resolves several tokens at once, for functions and classes that take a record of ports. */
export function resolveAll<Names extends Name>(
  container: Pick<Container, 'get'>,
  ...names: readonly Names[]
): Resolved<Names> {
  return Object.fromEntries(
    names.map((name) => [name, container.get<unknown>(TOKENS[name])]),
  ) as Resolved<Names>;
}
