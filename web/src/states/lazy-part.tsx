import { type ComponentType, createElement, type FC } from 'react';
import { Part } from '../base/part.ts';
import { usePart } from './use-part.ts';

/**
 * Like `lazy` of React, for a component whose chunk may be missing for a while: it never throws.
 *
 * @param Placeholder until the component is loaded
 */
export function lazyPart<Chunk, Props extends object>(
  load: () => Promise<Chunk>,
  pick: (chunk: Chunk) => ComponentType<Props>,
  Placeholder: ComponentType<Props> = Nothing,
): FC<Props> {
  const part = new Part(load, pick);
  return function LazyPart(props) {
    const Loaded = usePart(part);
    return createElement(Loaded ?? Placeholder, props);
  };
}

function Nothing(): null {
  return null;
}
