import { type ComponentType, createElement, type FC } from 'react';
import { Part } from '../base/part.ts';
import { usePart } from './use-part.ts';

/**
 * Like `lazy` of React, for a component whose chunk may be missing for a while: it never throws.
 *
 * @param name of the component in the chunk
 * @param Placeholder until the component is loaded
 */
export function lazyPart<Name extends string, Props extends object>(
  load: () => Promise<Readonly<Record<Name, ComponentType<Props>>>>,
  name: Name,
  Placeholder: ComponentType<Props> = Nothing,
): FC<Props> {
  const part = new Part(load, (chunk) => chunk[name]);
  return function LazyPart(props) {
    const Loaded = usePart(part);
    return createElement(Loaded ?? Placeholder, props);
  };
}

function Nothing(): null {
  return null;
}
