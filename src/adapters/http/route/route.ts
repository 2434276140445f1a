import type { AnyReply } from '../response/send-reply.ts';
import type { Input, Operation, OperationSettings, Reply } from './operation.ts';
import type { RouteParts } from './route-parts.ts';

export interface Route<O extends Operation = Operation> {
  readonly operation: (settings: OperationSettings) => O;
  readonly handler: (input: Input<O>, parts: RouteParts) => Promise<Reply<O>>;
}

/** A handler without the types of its operation. */
export type AnyHandler = (input: object, parts: RouteParts) => Promise<AnyReply | undefined>;

/** Without fields that no operation has. */
type Exactly<O extends Operation> = O & Readonly<Record<Exclude<keyof O, keyof Operation>, never>>;

/** An operation of the API and its handler. A status that is not declared and a missing header do not compile. */
export function route<const O extends Operation, const R extends Reply<O>>(
  operation: Exactly<O> | ((settings: OperationSettings) => Exactly<O>),
  handler: (input: Input<O>, parts: RouteParts) => Promise<R>,
): Route<O> {
  return {
    operation: (settings) => (typeof operation === 'function' ? operation(settings) : operation),
    handler,
  };
}
