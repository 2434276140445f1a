/** A reader of the service, and what it guarantees for every input. */
export interface ParserTarget {
  /** Pieces of the format, which mutations insert. */
  readonly tokens: readonly (string | Uint8Array)[];
  /** Where the search begins if there is no corpus. */
  readonly seeds: readonly (string | Uint8Array)[];
  /** Bytes of the longest input. */
  readonly maxBytes: number;
  /** Ends of the folders or files whose coverage leads the search. */
  readonly sources: readonly string[];
  /** Throws, or rejects, only if the reader breaks a guarantee. */
  readonly run: (input: Uint8Array) => void | Promise<void>;
}

/** @throws {Error} naming the fact that does not hold */
export function guarantee(holds: boolean, fact: string): asserts holds {
  if (!holds) throw new Error(`not so: ${fact}`);
}

/** @throws {Error} if the values differ as JSON */
export function guaranteeSame(one: unknown, other: unknown, fact: string): void {
  guarantee(JSON.stringify(one) === JSON.stringify(other), fact);
}

type ErrorClass = abstract new (...parameters: never[]) => Error;

/** `undefined` if one of the declared errors is thrown. */
export function declaring<T>(errors: readonly ErrorClass[], read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    return isDeclared(errors, error);
  }
}

export async function declaringLater<T>(
  errors: readonly ErrorClass[],
  read: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    return isDeclared(errors, error);
  }
}

function isDeclared(errors: readonly ErrorClass[], error: unknown): undefined {
  if (!errors.some((declared) => error instanceof declared)) throw error;
}

export function utf8(input: Uint8Array): string {
  return Buffer.from(input.buffer, input.byteOffset, input.byteLength).toString();
}
