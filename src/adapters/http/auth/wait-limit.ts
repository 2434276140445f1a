export interface WaitLimit {
  /** What the promise resolves to; `undefined` if the limit is reached first. */
  wait<T>(promise: Promise<T>): Promise<T | undefined>;
  clear(): void;
}

/** One time limit for all waits of a request. The timer does not keep the process alive. */
export function startWaitLimit(milliseconds: number): WaitLimit {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), milliseconds).unref();
  });
  return { wait: (promise) => Promise.race([promise, over]), clear: () => clearTimeout(timer) };
}
