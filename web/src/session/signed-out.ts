/** A call of the API without a session. */
export class SignedOut extends Error {
  override readonly name = 'SignedOut';
}
