/** 8 characters that an address shows as they are. */
export function newSeed(): string {
  const [number = 0] = crypto.getRandomValues(new Uint32Array(1));
  return number.toString(36).padStart(8, '0');
}
