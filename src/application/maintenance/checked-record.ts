/** A record that a command has checked, and what it has found. */
export interface CheckedRecord<Finding> {
  readonly imageId: number;
  readonly finding?: Finding | undefined;
}
