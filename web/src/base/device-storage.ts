/** What the device remembers; `undefined` if the settings of the browser refuse it. */
export function deviceStorage(): Storage | undefined {
  try {
    return localStorage;
  } catch {
    return undefined;
  }
}
