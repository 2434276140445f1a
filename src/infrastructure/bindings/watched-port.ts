export type Method = (...args: unknown[]) => unknown;

/** Makes what is called instead of a method. Called once for each method, at its first use. */
export type WatchMethod = (operation: string, method: Method) => Method;

export type Around = (work: () => Promise<unknown>) => Promise<unknown>;

/** A port with other methods in front of its own, also of methods that the port gets later. */
export function watchedPort<Port extends object>(port: Port, watch: WatchMethod): Port {
  const watched = new Map<PropertyKey, Method>();
  return new Proxy(port, {
    get(target, name) {
      const known = watched.get(name);
      if (known !== undefined) return known;
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== 'function' || typeof name !== 'string') return member;
      const method = watch(name, (member as Method).bind(target));
      watched.set(name, method);
      return method;
    },
    set(target, name, value) {
      watched.delete(name);
      return Reflect.set(target, name, value, target);
    },
  });
}

/** A port with work around some of its methods, which all return promises. */
export function withAround<Port extends object>(
  port: Port,
  around: Partial<Record<keyof Port & string, Around>>,
): Port {
  const arounds = new Map<string, Around>(Object.entries(around));
  return watchedPort(port, (operation, method) => {
    const run = arounds.get(operation);
    if (run === undefined) return method;
    return (...args) => run(() => method(...args) as Promise<unknown>);
  });
}
