import type { AddressInfo } from 'node:net';
import { explainSystemError } from '../../adapters/filesystem/translating-file-system-errors.ts';

import { certificateAdvice, connectionAdvice, SSLROOTCERT } from '../config/connection-advice.ts';

export class UnusableDependency extends Error {
  constructor(
    readonly variable: string,
    options: ErrorOptions,
  ) {
    const { cause } = options;
    super(
      `${variable} cannot be used: ${cause instanceof Error ? explain(rootOf(cause), variable) : String(cause)}`,
      options,
    );
  }
}

function rootOf(error: Error): Error {
  return error.cause instanceof Error ? rootOf(error.cause) : error;
}

const PORT_IN_WORDS: Readonly<Record<string, (variable: string) => string>> = {
  EADDRINUSE: (variable) => `is taken by another process: end it, or set ${variable} to another port`,
  EACCES: (variable) => `is closed to the user of this process: set ${variable} to a port above 1023`,
  EADDRNOTAVAIL: () => 'is not on this machine: correct the address',
};

type SystemError = NodeJS.ErrnoException & Partial<AddressInfo> & { readonly hostname?: string };

/** For operators: what is wrong, and what to do. */
function explain(error: Error, variable: string): string {
  const { code = '', syscall, address, port, hostname } = error as SystemError;
  if (syscall === 'getaddrinfo' && variable.endsWith('PORT')) {
    const host = variable.replace(/PORT$/, 'HOST');
    return `the name ${hostname} cannot be resolved: set ${host} to an address of this machine, or to 0.0.0.0 (${code})`;
  }
  const words = syscall === 'listen' ? PORT_IN_WORDS[code] : undefined;
  if (words === undefined) {
    const advice =
      variable === 'DATABASE_URL'
        ? certificateAdvice(error.message, SSLROOTCERT)
        : connectionAdvice(error.message);
    return [explainSystemError(error), ...(advice === undefined ? [] : [advice])].join(': ');
  }
  return `port ${port} of ${address} ${words(variable)} (${code})`;
}
