/** Header, payload and signature: RFC 7515, section 7.1. */
const JWT_PARTS = 3;

/** The provider has issued an access token that the service cannot read. */
export class OpaqueToken extends Error {
  override readonly name = 'OpaqueToken';

  constructor() {
    super('The access token is not a JWT');
  }
}

/** @throws {OpaqueToken} */
export function requireJwt(accessToken: string): void {
  if (accessToken.split('.').length !== JWT_PARTS) throw new OpaqueToken();
}
