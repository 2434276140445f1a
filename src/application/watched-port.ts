/** Decides what runs around a call, and passes on its result. */
export type WatchCall = (operation: string, call: () => unknown) => unknown;

export type Around = (work: () => Promise<unknown>) => Promise<unknown>;

/** A port whose method calls go through `watch`, also those of methods that the port gets later. */
export function watchedPort<Port extends object>(port: Port, watch: WatchCall): Port {
  const wrappers = new Map<PropertyKey, unknown>();
  return new Proxy(port, {
    get(target, name) {
      const known = wrappers.get(name);
      if (known !== undefined) return known;
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== 'function' || typeof name !== 'string') return member;
      const wrapper = (...args: unknown[]): unknown =>
        watch(name, () => Reflect.apply(member, target, args) as unknown);
      wrappers.set(name, wrapper);
      return wrapper;
    },
  });
}

/** A port with work around some of its methods, which all return promises. */
export function withAround<Port extends object>(
  port: Port,
  around: Partial<Record<keyof Port & string, Around>>,
): Port {
  const arounds = new Map<string, Around>(Object.entries(around));
  return watchedPort(port, (operation, call) => {
    const run = arounds.get(operation);
    return run === undefined ? call() : run(call as () => Promise<unknown>);
  });
}
