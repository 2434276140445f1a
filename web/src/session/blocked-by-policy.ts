/** The Content-Security-Policy of the page allows no requests to an address of the provider. */
export class BlockedByPolicy extends Error {
  /** @param origin that the policy does not name */
  constructor(
    readonly origin: string,
    cause: unknown,
  ) {
    super(origin, { cause });
  }
}

/** To a script, a request that the policy blocks fails like one without a network. Only an event tells them apart. */
export async function namingBlocked<T>(work: () => Promise<T>): Promise<T> {
  let blocked: string | undefined;
  const note = ({ effectiveDirective, blockedURI }: SecurityPolicyViolationEvent): void => {
    if (effectiveDirective === 'connect-src') blocked = originOf(blockedURI);
  };
  document.addEventListener('securitypolicyviolation', note);
  try {
    return await work();
  } catch (error) {
    // The event may come after the failure.
    await new Promise((resolve) => setTimeout(resolve));
    throw blocked === undefined ? error : new BlockedByPolicy(blocked, error);
  } finally {
    document.removeEventListener('securitypolicyviolation', note);
  }
}

function originOf(address: string): string {
  return URL.canParse(address) ? new URL(address).origin : address;
}
