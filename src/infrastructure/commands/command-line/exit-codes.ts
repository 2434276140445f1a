/** Of sysexits.h, with its names. */
export const EXIT_USAGE = 64;
export const EXIT_DATA = 65;
export const EXIT_NO_INPUT = 66;
/** `EX_UNAVAILABLE`: another machine that the command needs cannot be reached. */
export const EXIT_NO_SERVICE = 69;
export const EXIT_CANNOT_CREATE = 73;
/** The same call may succeed later. */
export const EXIT_UNAVAILABLE = 75;
export const EXIT_CONFIG = 78;
