/** AES-256-GCM under keys that are derived from a secret. */
export interface TicketCipher {
  /** Characters of base64url: other ones for the same text each time. */
  seal(secret: Uint8Array, text: string): string;

  /** `undefined` unless `seal` has made exactly these characters with the secret. */
  open(secret: Uint8Array, sealed: string): string | undefined;
}
