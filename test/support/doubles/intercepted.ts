import type { InSpaces } from '../../../src/domain/ports/records/in-spaces.ts';

/** Intercepts a method call: decides whether and when the real call runs, and with which result. */
export type Interceptor = (method: string, proceed: () => unknown) => unknown;

type MethodOf<Port> = keyof Port | (Port extends InSpaces<infer InSpace> ? keyof InSpace : never);

/** A port whose every method call goes through `intercept`, also those of its ports for spaces. */
export function intercepted<Port extends object>(port: Port, intercept: Interceptor): Port {
  return new Proxy(port, {
    get(target, property) {
      const member: unknown = Reflect.get(target, property, target);
      if (isInSpaces(member)) return intercepted(member, intercept);
      if (typeof member !== 'function') return member;
      if (property === 'in') {
        return (...args: unknown[]): unknown =>
          intercepted(Reflect.apply(member, target, args) as object, intercept);
      }
      return (...args: unknown[]): unknown =>
        intercept(String(property), () => Reflect.apply(member, target, args));
    },
  });
}

function isInSpaces(member: unknown): member is object {
  return typeof member === 'object' && member !== null && 'in' in member;
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
  method: MethodOf<Port> & string,
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
  method: MethodOf<Port> & string,
  error: Error,
): Port {
  let isLost = false;
  return intercepted(port, (called, proceed) => {
    if (called !== method || isLost) return proceed();
    isLost = true;
    return Promise.resolve(proceed()).then(() => Promise.reject(error));
  });
}
