import 'reflect-metadata';
import { Container, type ServiceIdentifier } from 'inversify';

/** How each part is made from others. */
export type Makers<Parts> = { readonly [Name in keyof Parts]: (parts: Parts) => Parts[Name] };

/** How parts are closed that were made. */
export type Closers<Parts> = { readonly [Name in keyof Parts]?: (part: Parts[Name]) => void | Promise<void> };

export interface Composition<Parts> {
  readonly container: Container;
  /** Each is made when it is first read. */
  readonly parts: Parts;
  /** Closes what was made. */
  readonly close: () => Promise<void>;
}

/** The identifier of a part is the symbol of its name: see `TOKENS`. */
export function compose<Parts extends object>(
  makers: Makers<Parts>,
  closers: Closers<Parts>,
): Composition<Parts> {
  const container = new Container({ defaultScope: 'Singleton' });
  const parts = {} as Parts;
  for (const name of Object.keys(makers) as Array<keyof Parts & string>) {
    const token = Symbol.for(name) as ServiceIdentifier<Parts[typeof name]>;
    const binding = container.bind<Parts[typeof name]>(token).toDynamicValue(() => makers[name](parts));
    const close = closers[name];
    if (close !== undefined) binding.onDeactivation(close);
    Object.defineProperty(parts, name, { enumerable: true, get: () => container.get(token) });
  }
  return { container, parts, close: () => container.unbindAllAsync() };
}
