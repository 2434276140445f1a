/** Shorter runs of letters occur by chance. */
const RUN_BYTES = 5;

/** Whether bytes have a part of a secret. */
export function leaks(bytes: Buffer, secret: Buffer): boolean {
  return Array.from({ length: secret.length - RUN_BYTES + 1 }).some((_, at) =>
    bytes.includes(secret.subarray(at, at + RUN_BYTES)),
  );
}
