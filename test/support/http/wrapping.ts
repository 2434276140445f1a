import { ContainerModule, type ServiceIdentifier } from 'inversify';

/** A module that wraps what the container makes for a token, for `TestServiceOptions.modules`. */
export function wrapping<T>(token: ServiceIdentifier<T>, wrap: (made: T) => T): ContainerModule {
  return new ContainerModule(({ onActivation }) => onActivation(token, (_, made) => wrap(made)));
}
