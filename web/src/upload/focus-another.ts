/** Another button of the element, or what is around it. */
export function focusAnother(element: HTMLElement | null): void {
  (element?.querySelector('button') ?? element?.closest<HTMLElement>('[tabindex]'))?.focus();
}
