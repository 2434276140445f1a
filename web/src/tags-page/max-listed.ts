/** The most that the service lists at a time. */
export const MAX_LISTED = 1000;
