/** The transfer changed nothing, or nothing since it noticed. */
export class TransferRefused extends Error {
  constructor(
    /** `foreign`: the target belongs to another catalog. `ahead`: it has given ids that the source has not. */
    readonly reason: 'not_empty' | 'foreign' | 'ahead',
  ) {
    super(`The target is ${reason.replace('_', ' ')}`);
  }
}
