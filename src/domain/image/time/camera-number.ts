/** Null unless finite and above 0. */
export function cameraNumber(value: number | undefined): number | null {
  return value !== undefined && Number.isFinite(value) && value > 0 ? value : null;
}
