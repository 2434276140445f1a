/** Intercepts a method call: decides whether and when the real call runs, and with which result. */
export type Interceptor = (method: string, proceed: () => unknown) => unknown;

/** A port whose every method call goes through `intercept`. */
export function intercepted<Port extends object>(port: Port, intercept: Interceptor): Port {
  return new Proxy(port, {
    get(target, property) {
      const member: unknown = Reflect.get(target, property, target);
      if (typeof member !== 'function') return member;
      return (...args: unknown[]): unknown =>
        intercept(String(property), () => Reflect.apply(member, target, args));
    },
  });
}

/** A port that notes the name of each method called in `calls`. */
export function recorded<Port extends object>(port: Port, calls: string[]): Port {
  return intercepted(port, (method, proceed) => {
    calls.push(method);
    return proceed();
  });
}

/**
 * A port of which the `nth` call of `method` (from 1) throws `error` instead of doing its work; all others behave.
 * The error is thrown at once rather than as a rejection, so that it fits synchronous methods too: for a caller that
 * awaits the call there is no difference.
 */
export function failing<Port extends object>(
  port: Port,
  method: keyof Port & string,
  error: Error,
  nth = 1,
): Port {
  let calls = 0;
  return intercepted(port, (called, proceed) => {
    if (called === method) calls += 1;
    if (called === method && calls === nth) throw error;
    return proceed();
  });
}

/** A port of which the first call of `method` does its work and then rejects, as if its result was lost. */
export function losingAnswer<Port extends object>(
  port: Port,
  method: keyof Port & string,
  error: Error,
): Port {
  let isLost = false;
  return intercepted(port, (called, proceed) => {
    if (called !== method || isLost) return proceed();
    isLost = true;
    return Promise.resolve(proceed()).then(() => Promise.reject(error));
  });
}
