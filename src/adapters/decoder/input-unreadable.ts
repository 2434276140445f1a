/** The file of a job cannot be opened or read. */
export class InputUnreadable extends Error {}
