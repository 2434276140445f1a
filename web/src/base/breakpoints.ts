/** The first of the two widths at which the page changes: see `tokens.css`. */
export const PHONE = '(max-width: 639px)';
