/** As a bound: every picture that has a capture time. */
export const ANY_TIME = '0001-01-01T00:00:00Z';
