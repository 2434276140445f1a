const MAX_TRIES = 1_000;

/** The shortest input that can be made by leaving parts out, and still fails. */
export async function shrink(
  input: Uint8Array,
  fails: (candidate: Uint8Array) => Promise<boolean>,
): Promise<Uint8Array> {
  let shortest = input;
  let tries = 0;
  for (let size = Math.ceil(input.length / 2); size >= 1; size = Math.floor(size / 2)) {
    for (let at = 0; at < shortest.length && tries < MAX_TRIES; tries += 1) {
      const candidate = Uint8Array.from([...shortest.subarray(0, at), ...shortest.subarray(at + size)]);
      if (await fails(candidate)) shortest = candidate;
      else at += size;
    }
  }
  return shortest;
}
