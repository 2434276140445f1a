import { explainSystemError } from '../../adapters/filesystem/translating-file-system-errors.ts';

export class UnusableDependency extends Error {
  constructor(
    readonly variable: string,
    options: ErrorOptions,
  ) {
    const { cause } = options;
    super(
      `${variable} cannot be used: ${cause instanceof Error ? explainSystemError(rootOf(cause)) : String(cause)}`,
      options,
    );
  }
}

function rootOf(error: Error): Error {
  return error.cause instanceof Error ? rootOf(error.cause) : error;
}
