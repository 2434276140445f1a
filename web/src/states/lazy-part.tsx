import { type ComponentType, createElement, type FC } from 'react';
import { Part } from '../base/part.ts';
import { usePart } from './use-part.ts';

/**
 * Like `lazy` of React, for a component whose chunk may be missing for a while: it never throws.
 *
 * @param Placeholder until the component is loaded
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  Placeholder: ComponentType = Nothing,
): FC<Props> {
  const part = new Part(load);
  return function LazyPart(props) {
    const Loaded = usePart(part);
    return Loaded === undefined ? <Placeholder /> : createElement(Loaded, props);
  };
}

function Nothing(): null {
  return null;
}
