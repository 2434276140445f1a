type Events = WindowEventMap & DocumentEventMap & HTMLElementEventMap;

type Handlers = { readonly [Type in keyof Events]?: (event: Events[Type]) => unknown };

/** @returns a function that ends it */
export function listen(
  target: EventTarget,
  handlers: Handlers,
  options: AddEventListenerOptions = {},
): () => void {
  const end = new AbortController();
  for (const [type, handler] of Object.entries(handlers)) {
    target.addEventListener(type, handler as EventListener, { ...options, signal: end.signal });
  }
  return () => end.abort();
}
