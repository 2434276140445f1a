import { createContext, type Provider, useContext } from 'react';

/** A context without a default: a component outside of its provider is a mistake. */
export function requiredContext<T extends object>(): readonly [Provider<T | undefined>, () => T] {
  const context = createContext<T | undefined>(undefined);
  function useRequired(): T {
    const value = useContext(context);
    if (value === undefined) throw new TypeError('A component is outside of the provider of its context');
    return value;
  }
  return [context.Provider, useRequired];
}
