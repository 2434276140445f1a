/**
 * Whether the service responds to its greeting, which needs no token. Browsers call a machine without a network offline, also
 * if the service runs on it.
 */
export async function canReach(apiUrl: string): Promise<boolean> {
  const signal = AbortSignal.timeout(10_000);
  return await fetch(apiUrl, { cache: 'no-store', signal }).then(
    ({ ok }) => ok,
    () => false,
  );
}
