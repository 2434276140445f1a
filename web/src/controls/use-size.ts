import { useLayoutEffect, useState } from 'react';

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Pixels of an element, before it is painted for the first time. */
export function useSize(element: React.RefObject<HTMLElement | null>): Size | undefined {
  const [size, setSize] = useState<Size>();
  useLayoutEffect(() => {
    const measured = element.current;
    if (measured === null) return undefined;
    const measure = (): void => {
      const { clientWidth: width, clientHeight: height } = measured;
      setSize((last) => (last?.width === width && last.height === height ? last : { width, height }));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(measured);
    return () => observer.disconnect();
  }, [element]);
  return size;
}
