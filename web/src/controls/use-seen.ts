import { type RefObject, useEffect, useState } from 'react';

/** A person who scrolls past it needs nothing of it. */
const REST_MS = 120;

/** Whether the element has been in view, or nearly, for a moment. It stays so. */
export function useSeen(element: RefObject<Element | null>): boolean {
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    const target = element.current;
    if (target === null || isSeen) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const observer = new IntersectionObserver(
      ([entry]) => {
        clearTimeout(timer);
        if (entry?.isIntersecting === true) timer = setTimeout(() => setSeen(true), REST_MS);
      },
      { rootMargin: '200px' },
    );
    observer.observe(target);
    return () => {
      clearTimeout(timer);
      observer.disconnect();
    };
  }, [element, isSeen]);
  return isSeen;
}
