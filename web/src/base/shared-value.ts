import { createContext, createElement, type ReactNode, useContext } from 'react';

/** The hook of a room, by which components use the object that the page has of it. */
export interface SharedValue<T> {
  (): T;
  readonly key: symbol;
}

/** The objects of a page. */
export class SharedValues {
  readonly #values = new Map<symbol, unknown>();

  with<T>({ key }: SharedValue<T>, value: T): this {
    this.#values.set(key, value);
    return this;
  }

  get(key: symbol): unknown {
    if (!this.#values.has(key)) throw new TypeError('A component is outside of the provider of its object');
    return this.#values.get(key);
  }
}

const Context = createContext(new SharedValues());

/** Rooms know no common place of all objects: each exports a hook for its own. */
export function sharedValue<T extends object>(): SharedValue<T> {
  const key = Symbol();
  const useSharedValue = (): T => useContext(Context).get(key) as T;
  return Object.assign(useSharedValue, { key });
}

interface SharedValuesProviderProps {
  readonly values: SharedValues;
  readonly children?: ReactNode;
}

export function SharedValuesProvider({ values, children }: SharedValuesProviderProps): React.JSX.Element {
  return createElement(Context, { value: values }, children);
}
