/** The command line is wrong: the message says what is, and the usage is printed with it. */
export class UsageError extends Error {}
