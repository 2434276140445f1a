/** HMAC-SHA256 (RFC 2104). */
export interface LinkSigner {
  /** 32 random bytes. */
  makeSecret(): Uint8Array;

  /** 43 characters of base64url. */
  sign(secret: Uint8Array, text: string): string;

  /** Takes constant time, which tells nothing of the right MAC. */
  verify(secret: Uint8Array, text: string, mac: string): boolean;
}
