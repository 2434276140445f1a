export interface WaitLimit {
  /** `undefined` if the limit is reached first. */
  wait<T>(promise: Promise<T>): Promise<T | undefined>;
  clear(): void;
}

/** For all waits of a request together. The timer does not keep the process alive. */
export function startWaitLimit(milliseconds: number): WaitLimit {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), milliseconds).unref();
  });
  return { wait: (promise) => Promise.race([promise, over]), clear: () => clearTimeout(timer) };
}
