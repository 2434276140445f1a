import type { AnyReply } from '../response/send-reply.ts';
import type { Input, Operation, OperationSettings, Reply } from './operation.ts';
import type { RouteParts } from './route-parts.ts';

export interface Route<O extends Operation = Operation> {
  readonly operation: (settings: OperationSettings) => O;
  readonly handler: (input: Input<O>, parts: RouteParts) => Promise<Reply<O>>;
  readonly uses: ReadonlyArray<keyof RouteParts>;
}

/** A handler without the types of its operation. */
export type AnyHandler = (input: object, parts: RouteParts) => Promise<AnyReply | undefined>;

/** Without fields that no operation has. */
type Exactly<O extends Operation> = O & Readonly<Record<Exclude<keyof O, keyof Operation>, never>>;

/**
 * An operation of the API, its handler, and the names of the parts that the handler uses. A status that is not declared, a missing
 * header and a part that is not named do not compile.
 */
export function route<
  const O extends Operation,
  const R extends Reply<O>,
  Name extends keyof RouteParts = never,
>(
  operation: Exactly<O> | ((settings: OperationSettings) => Exactly<O>),
  handler: (input: Input<O>, parts: Pick<RouteParts, Name>) => Promise<R>,
  uses: readonly Name[],
): Route<O> {
  return {
    operation: (settings) => (typeof operation === 'function' ? operation(settings) : operation),
    handler,
    uses,
  };
}
