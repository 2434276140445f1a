/** The two widths of `tokens.css` at which the page changes. Media queries know no variables. */
export const PHONE = '(max-width: 639px)';
