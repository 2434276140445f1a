import type { MapToResolvedValueInjectOptions, ServiceIdentifier } from 'inversify';

type Construction<Value, Args extends unknown[]> = [
  construct: (...args: Args) => Value,
  tokens: MapToResolvedValueInjectOptions<Args>,
];

/**
 * For `toResolvedValue`: a class with one token for each parameter of its constructor. It does for classes without decorators what `to` does
 * for decorated ones, and the compiler compares the tokens with the parameters.
 */
export function construct<Value, Args extends unknown[]>(
  type: new (...args: Args) => Value,
  ...tokens: { [Index in keyof Args]: ServiceIdentifier<Args[Index]> }
): Construction<Value, Args> {
  return [(...args) => new type(...args), tokens as MapToResolvedValueInjectOptions<Args>];
}
