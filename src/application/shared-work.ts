interface Flight<T> {
  readonly result: Promise<T>;
  readonly controller: AbortController;
  waiting: number;
}

/** Work that several callers ask for at the same time and that is done once for all of them. */
export class SharedWork<T> {
  private readonly flights = new Map<string, Flight<T>>();

  /**
   * Joins the work of this key, or begins it. A caller that leaves does not stop what others wait for; when the last one
   * leaves, the signal that the work was given says so.
   *
   * @throws what the work throws; the reason of `leaving` once that is aborted
   */
  async join(key: string, begin: (nobodyWaits: AbortSignal) => Promise<T>, leaving: AbortSignal): Promise<T> {
    leaving.throwIfAborted();
    const flight = this.flights.get(key) ?? this.begin(key, begin);
    flight.waiting += 1;
    return await new Promise<T>((resolve, reject) => {
      const leave = (): void => {
        reject(leaving.reason as Error);
        flight.waiting -= 1;
        if (flight.waiting === 0) this.abandon(key, flight);
      };
      leaving.addEventListener('abort', leave, { once: true });
      flight.result.then(resolve, reject).finally(() => leaving.removeEventListener('abort', leave));
    });
  }

  private begin(key: string, begin: (nobodyWaits: AbortSignal) => Promise<T>): Flight<T> {
    const controller = new AbortController();
    const flight: Flight<T> = { controller, waiting: 0, result: begin(controller.signal) };
    this.flights.set(key, flight);
    // Everybody may have left before it fails.
    flight.result.catch(() => undefined).finally(() => this.land(key, flight));
    return flight;
  }

  private abandon(key: string, flight: Flight<T>): void {
    this.land(key, flight);
    flight.controller.abort();
  }

  private land(key: string, flight: Flight<T>): void {
    if (this.flights.get(key) === flight) this.flights.delete(key);
  }
}
