/** Header, payload and signature: RFC 7515, section 7.1. */
const JWT_PARTS = 3;

/** The provider has issued an access token that is not a JWT, so the service cannot read it. */
export class OpaqueToken extends Error {}

/** @throws {OpaqueToken} */
export function requireJwt(accessToken: string): void {
  if (accessToken.split('.').length !== JWT_PARTS) throw new OpaqueToken();
}
